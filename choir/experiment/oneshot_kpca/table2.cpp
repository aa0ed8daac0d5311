// Table 2 of the paper: whether a linear classifier sees a difference between distributed and central
// kernel principal components. Components are learned from the training images alone.
#include <algorithm>

#include <fmt/format.h>

#include "choir/base/rng.h"
#include "choir/data/shards.h"
#include "choir/experiment/digits.h"
#include "choir/experiment/linear_svm.h"
#include "choir/experiment/measurements.h"
#include "choir/experiment/oneshot_kpca/experiments.h"
#include "choir/experiment/oneshot_kpca/fusion.h"
#include "choir/experiment/repetitions.h"
#include "choir/learn/central/kernel_pca.h"
#include "choir/learn/central/pca.h"
#include "choir/learn/oneshot_kpca/oneshot_kpca.h"
#include "choir/linalg/blas.h"
#include "choir/metrics/classification.h"

namespace choir {
namespace {

constexpr Purpose images_purpose("oneshot-experiment-classes");
constexpr Index training_images = 200;
constexpr Index parties = 40;
constexpr double svm_c = 5;
constexpr const char* kpca = "KPCA";
constexpr const char* pca = "PCA";
constexpr const char* fixed_dkpca = "DKPCA, D_j = D + 10";
constexpr const char* adaptive_dkpca = "DKPCA, adaptive";

struct Pair {
  std::int64_t first;
  std::int64_t second;

  std::string name() const { return fmt::format("{} against {}", first, second); }
};

struct Images {
  Dataset training;
  Dataset testing;
  Kernel kernel;
};

Images draw_images(const Dataset& digits, const Pair& pair, Index testing, std::uint64_t seed) {
  Dataset both = select_labels(digits, std::vector<std::int64_t>{pair.first, pair.second});
  both.samples /= 255;
  Rng random(seed, images_purpose);
  const std::vector<Index> drawn = random.choose(training_images + testing, both.size());
  const std::span<const Index> all(drawn);
  return {.training = take_samples(both, all.first(training_images)),
          .testing = take_samples(both, all.subspan(training_images)),
          .kernel = {.kind = KernelKind::rbf, .gamma = 9 / static_cast<double>(digits.features())}};
}

// N x D, of any images.
using Transform = std::function<Matrix(const Samples&)>;

Transform central_transform(const Images& images, Index components, int threads) {
  central_kpca::Options options;
  options.kernel = images.kernel;
  options.n_components.count = components;
  return [model = fit_central_kpca(images.training.samples, options, {.threads = threads}).model](
             const Samples& samples) { return model.transform(samples); };
}

Transform linear_transform(const Images& images, Index components, int threads) {
  central_pca::Options options;
  options.n_components.count = components;
  return [model = fit_central_pca(images.training.samples, options, {.threads = threads}).model](
             const Samples& samples) { return model.transform(samples); };
}

// The sum of all parties' squared distances is that of a single party with all features.
Transform distributed_transform(const Images& images, const SendingRule& rule, Index components,
                                int threads) {
  const Samples& training = images.training.samples;
  const std::vector<Samples> shards = divide(training, even_cuts(training.rows(), parties));
  const FusedOutcome outcome =
      fuse({.kernel = images.kernel, .shards = shards, .components = components, .threads = threads}, rule);
  oneshot_kpca::NodeResult whole;
  whole.kernel = images.kernel;
  whole.features = training;
  oneshot_kpca::Answer& answer = whole.answer.emplace();
  answer.vectors = outcome.answer.vectors;
  answer.eigenvalues = outcome.answer.eigenvalues;
  answer.centring = outcome.answer.centring;
  return [part = part_of(whole)](const Samples& samples) {
    return part.answer(part.contribution(samples)).scores;
  };
}

double test_error(const Images& images, const Transform& transform) {
  const SingleThreadedBlas scope;
  const LinearSvm svm =
      fit_linear_svm(transform(images.training.samples).transpose(), images.training.labels, {.c = svm_c});
  return 1 - accuracy(images.testing.labels, svm.predict(transform(images.testing.samples).transpose()));
}

void measure(const Images& images, const Pair& pair, Index components, int threads, Measurements& seen) {
  const std::string setting = fmt::format("{}", components);
  const auto add = [&](const char* series, double error) {
    seen.add(setting, series, "error rate, " + pair.name(), error);
  };
  const double central = test_error(images, central_transform(images, components, threads));
  add(kpca, central);
  const auto add_distributed = [&](const char* series, const SendingRule& rule) {
    const double error = test_error(images, distributed_transform(images, rule, components, threads));
    add(series, error);
    seen.add(setting, series, "difference to KPCA, " + pair.name(), error - central);
  };
  add_distributed(fixed_dkpca, fixed_size(std::min(components + 10, training_images)));
  add_distributed(adaptive_dkpca, adaptive_size(KernelKind::rbf));
  add(pca, test_error(images, linear_transform(images, components, threads)));
}

// Over numbers of features, of the mean over draws.
void add_largest_difference(const Pair& pair, Measurements& seen) {
  const std::vector<std::string> settings = seen.settings();
  for (const char* series : {fixed_dkpca, adaptive_dkpca}) {
    double largest = -1;
    for (const std::string& setting : settings) {
      const Spread difference = seen.spread(setting, series, "difference to KPCA, " + pair.name());
      if (difference.repeats > 0) largest = std::max(largest, difference.mean);
    }
    seen.add(pair.name(), series, "largest difference of error rates DKPCA - KPCA", largest);
  }
}

Picture picture_of(const Measurements& seen, const Pair& pair) {
  LineChart chart{.title = "oneshot-kpca/table2: " + pair.name() + ", 40 parties, 200 training images",
                  .x = {.title = "features", .logarithmic = true},
                  .y = {.title = "share of test images misclassified", .logarithmic = true},
                  .series = {}};
  const auto draw = [&](const char* series, SeriesStyle style) {
    chart.series.push_back(seen.line(series, "error rate, " + pair.name(), style));
  };
  draw(kpca, SeriesStyle::line);
  draw(fixed_dkpca, SeriesStyle::dashed);
  draw(adaptive_dkpca, SeriesStyle::dashed);
  draw(pca, SeriesStyle::line);
  return {fmt::format("{}-{}", pair.first, pair.second), chart};
}

}  // namespace

ExperimentResult oneshot_kpca_table2(const ExperimentOptions& options) {
  const Dataset digits = read_digits(options, {});
  const std::vector<Pair> pairs = {{3, 8}, {5, 8}};
  const std::vector<Index> features =
      options.quick ? std::vector<Index>{10, 50} : std::vector<Index>{1, 5, 10, 20, 50, 100, 199};
  const Index testing = options.quick ? 700 : 2000;
  Measurements seen("features");
  for_each_repetition(options, "oneshot-kpca/table2", pairs, [&](const Pair& pair, std::uint64_t seed) {
    const Images images = draw_images(digits, pair, testing, seed);
    for (const Index count : features) measure(images, pair, count, options.threads, seen);
  });
  ExperimentResult result;
  for (const Pair& pair : pairs) {
    result.summaries.push_back(seen.summary("error rate, " + pair.name()));
    result.pictures.push_back(picture_of(seen, pair));
  }
  for (const Pair& pair : pairs) add_largest_difference(pair, seen);
  result.summaries.push_back(seen.summary("largest difference of error rates DKPCA - KPCA"));
  result.table = seen.table();
  result.notes = {"the features of the last row are all that 200 centred images have",
                  "the largest difference is that of means over the repetitions"};
  return result;
}

}  // namespace choir
