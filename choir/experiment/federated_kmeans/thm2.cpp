// Theorems 1 and 2: BB' of fea goes to the shrunk kernel matrix, as 1/T; with features drawn once it does
// not.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "choir/experiment/digits.h"
#include "choir/experiment/federated_kmeans/experiments.h"
#include "choir/experiment/federated_kmeans/trial.h"
#include "choir/experiment/measurements.h"
#include "choir/experiment/steps.h"
#include "choir/learn/federated_kmeans/fea.h"
#include "choir/learn/federated_kmeans/quality.h"
#include "choir/linalg/blas.h"

namespace choir {
namespace {

constexpr double lambda_share = 0.01;  // lambda / N
constexpr Index method_rank = 20;      // what r_max is by default for ten clusters
constexpr Index slope_from = 10;
constexpr const char* error_quantity = "squared error";

struct Sizes {
  Index samples = 1000;
  Index random_features = 200;
  std::vector<Index> looks = {1, 2, 5, 10, 20, 50, 100, 200};
};

Sizes sizes_of(const ExperimentOptions& options) {
  if (!options.quick) return {};
  return {.samples = 150, .random_features = 40, .looks = {1, 10, 20, 40}};
}

struct SketchVariant {
  std::string name;
  Index share = 1;            // features are divided by it
  Index most_directions = 0;  // 0: as many as there are samples
  bool one_draw = false;
};

const std::vector<SketchVariant>& sketch_variants() {
  static const std::vector<SketchVariant> all = {
      {.name = "fea"},
      {.name = "fea, D / 4", .share = 4},
      {.name = "fea, D / 4, at most 20 directions", .share = 4, .most_directions = method_rank},
      {.name = "one draw", .one_draw = true}};
  return all;
}

// sum over l_i > lambda of (l_i - lambda) u_i u_i'
Matrix shrunk_kernel(const Matrix& gram, double lambda) {
  const EigenPairs exact = eigen_symmetric<double>(gram);
  const Vector shrunk = (exact.values.array() - lambda).max(0);
  return exact.vectors * shrunk.asDiagonal() * exact.vectors.transpose();
}

// Of log y over log x, least squares.
double log_log_slope(const std::vector<double>& x, const std::vector<double>& y) {
  const Eigen::Map<const Vector> abscissae(x.data(), std::ssize(x)), ordinates(y.data(), std::ssize(y));
  const Vector log_x = abscissae.array().log();
  const Vector centred = log_x.array() - log_x.mean();
  return centred.dot(Vector(ordinates.array().log())) / centred.squaredNorm();
}

void measure(const ClusterTrial& trial, const Matrix& target, const SketchVariant& variant,
             const Sizes& sizes, Measurements& seen) {
  std::vector<double> late, errors;
  const auto look = [&](Index t, const Matrix& b) {
    if (std::ranges::find(sizes.looks, t) == sizes.looks.end()) return;
    const double error = federated_kmeans::embedding_error(b.transpose(), target);
    seen.add(fmt::format("{}", t), variant.name, error_quantity, error);
    seen.add(fmt::format("{}", t), variant.name, "directions", static_cast<double>(b.rows()));
    if (t < slope_from) return;
    late.push_back(static_cast<double>(t));
    errors.push_back(error);
  };
  const auto samples = static_cast<double>(sizes.samples);
  federated_kmeans::central_fea(
      trial.images.samples, trial.kernel,
      {.random_features = sizes.random_features / variant.share,
       .iterations = sizes.looks.back(),
       .rank = variant.most_directions > 0 ? variant.most_directions : sizes.samples,
       .lambda = lambda_share * samples,
       .seed = trial.seed,
       .one_draw = variant.one_draw,
       .observe = look});
  seen.add(fmt::format("{} to {}", slope_from, sizes.looks.back()), variant.name, "slope",
           log_log_slope(late, errors));
}

Series one_over_t(const Measurements& seen, const Sizes& sizes) {
  Series line{.name = "1 / T", .style = SeriesStyle::dashed};
  const double begin =
      seen.spread(fmt::format("{}", slope_from), sketch_variants().front().name, error_quantity).mean;
  for (const Index t : sizes.looks) {
    if (t < slope_from) continue;
    line.x.push_back(static_cast<double>(t));
    line.y.push_back(begin * static_cast<double>(slope_from) / static_cast<double>(t));
  }
  return line;
}

}  // namespace

ExperimentResult federated_kmeans_thm2(const ExperimentOptions& options) {
  const SingleThreadedBlas scope;
  const Dataset digits = read_digits(options, {});
  const Sizes sizes = sizes_of(options);
  const Index seeds = repetitions(options);
  Steps steps(options.watch, "federated-kmeans/thm2",
              sketch_variants().size() * static_cast<std::size_t>(seeds));
  Measurements seen("iterations");
  for (Index seed = 0; seed < seeds; ++seed) {
    const ClusterTrial trial = cluster_trial(digits, sizes.samples, static_cast<std::uint64_t>(seed));
    const Matrix target = shrunk_kernel(trial.gram, lambda_share * static_cast<double>(sizes.samples));
    for (const SketchVariant& variant : sketch_variants()) {
      measure(trial, target, variant, sizes, seen);
      steps.next();
    }
  }
  LineChart chart{
      .title = fmt::format("federated-kmeans/thm2: {} images, D = {}", sizes.samples, sizes.random_features),
      .x = {.title = "iterations, T", .logarithmic = true},
      .y = {.title = "||BB' - shrunk K||^2 / N^2", .logarithmic = true},
      .series = {}};
  for (const SketchVariant& variant : sketch_variants())
    chart.series.push_back(seen.line(variant.name, error_quantity));
  chart.series.push_back(one_over_t(seen, sizes));
  return {.table = seen.table(),
          .summaries = {seen.summary(error_quantity), seen.summary("slope"), seen.summary("directions")},
          .pictures = {{"", chart}},
          .notes = {"lambda = .01 N; shrunk K is the sum of (l - lambda) u u' over eigenvalues l > lambda",
                    "slope: of log error over log T, least squares over the iterations shown from 10 on",
                    "one draw: the same random features in every iteration"}};
}

}  // namespace choir
