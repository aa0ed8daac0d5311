// Kernel PCA of digits from features that all nodes share: landmarks that are means of some images, or random
// features, which need nothing from the data.
#include <fmt/format.h>

#include "choir/experiment/digits.h"
#include "choir/experiment/gossip_pca/convergence.h"
#include "choir/experiment/gossip_pca/experiments.h"
#include "choir/experiment/steps.h"
#include "choir/kernel/bandwidth.h"
#include "choir/learn/central/kernel_pca.h"
#include "choir/learn/central/pca.h"
#include "choir/learn/gossip_pca/models.h"
#include "choir/linalg/blas.h"
#include "choir/linalg/columns.h"
#include "choir/linalg/qr.h"

namespace choir {
namespace {

constexpr Index component_count = 10;
constexpr const char* by_gossip = "gossip";
constexpr const char* in_one_place = "the same features in one place";
constexpr const char* score_error = "error of the scores";
constexpr const char* direction_error = "error of the directions";

struct Variant {
  FeatureKind kind;
  Index count;

  std::string name() const {
    return fmt::format("{} {}", count, kind == FeatureKind::landmarks ? "landmarks" : "random");
  }
};

std::vector<Variant> variants(const ExperimentOptions& options) {
  if (options.quick) return {{FeatureKind::landmarks, 60}, {FeatureKind::random_features, 200}};
  return {{FeatureKind::landmarks, 100},
          {FeatureKind::landmarks, 200},
          {FeatureKind::landmarks, 400},
          {FeatureKind::random_features, 1024},
          {FeatureKind::random_features, 4096}};
}

GossipMethod method_of(const Variant& variant, double gamma) {
  GossipMethod method = default_gossip(component_count);
  method.options.messages_per_node = 20;
  method.options.features = variant.kind;
  method.options.kernel.kind = KernelKind::rbf;
  method.options.gamma = {.rule = GammaRule::number, .value = gamma};
  (variant.kind == FeatureKind::landmarks ? method.options.n_landmarks : method.options.n_features) =
      variant.count;
  return method;
}

// D - ||V'V^||_F^2 of what two sets of D vectors span.
double span_error(const Matrix& truth, const Matrix& estimate) {
  const Matrix cosines = thin_qr<double>(truth).q.transpose() * thin_qr<double>(estimate).q;
  return static_cast<double>(truth.cols()) - cosines.squaredNorm();
}

// The same of directions in the kernel's feature space. Both sets are orthonormal, and
// <w*, sum_l c_l phi(z_l)> = sum_l c_l <w*, phi(z_l)>; the central scores lack the part of the mean.
double feature_space_error(const central_kpca::Fit& central, const MatrixView<double>& points,
                           const Matrix& coefficients) {
  Matrix products = central.model.transform(points);
  products.rowwise() += central.model.offset.transpose();
  return static_cast<double>(component_count) - (products.transpose() * coefficients).squaredNorm();
}

struct KernelTrial {
  const ExperimentOptions& options;
  const GossipNetwork& network;
  const Samples& all;
  const central_kpca::Fit& central;
  double gamma;
};

void measure(const KernelTrial& trial, const Variant& variant, Measurements& seen) {
  const SingleThreadedBlas scope;
  const gossip_pca::Fit fit = run_gossip(trial.network, method_of(variant, trial.gamma).options,
                                         swift_network(), quiet(trial.options));
  const Matrix features = fit.at(0).map->features(trial.all);  // all nodes have the same map
  double of_scores = 0;
  double of_directions = 0;
  for (const auto& node : fit.nodes) {
    const Matrix scores = (features.colwise() - node->mean).transpose() * node->directions;
    of_scores += span_error(trial.central.scores, scores) / static_cast<double>(fit.nodes.size());
    if (variant.kind != FeatureKind::landmarks) continue;
    const auto model = std::get<KernelModel>(model_of(*node));
    of_directions += feature_space_error(trial.central, model.points, model.coefficients) /
                     static_cast<double>(fit.nodes.size());
  }
  seen.add(variant.name(), by_gossip, score_error, of_scores);
  if (variant.kind == FeatureKind::landmarks) {
    seen.add(variant.name(), by_gossip, direction_error, of_directions);
  }
  const central_pca::Fit pooled = fit_central_pca(features, {.n_components = {.count = component_count}});
  seen.add(variant.name(), in_one_place, score_error, span_error(trial.central.scores, pooled.scores));
  if (variant.kind == FeatureKind::landmarks) {
    const SharedLandmarks& landmarks = *fit.at(0).map->landmarks;
    const Matrix coefficients = landmarks.whitening.matrix() * pooled.model.components;
    seen.add(variant.name(), in_one_place, direction_error,
             feature_space_error(trial.central, landmarks.points.matrix(), coefficients));
  }
}

central_kpca::Fit central_answer(const Samples& all, double gamma, const ExperimentOptions& options) {
  central_kpca::Options central;
  central.kernel = {.kind = KernelKind::rbf, .gamma = gamma};
  central.n_components.count = component_count;
  return fit_central_kpca(all, central, {.threads = options.threads});
}

BarChart chart_of(const Measurements& seen, const char* quantity, const std::string& what) {
  BarChart chart{.title = fmt::format("gossip-pca/kernel: {} of ten components", what),
                 .x = {},
                 .y = {.title = "D - ||V'V^||^2 to kernel PCA in one place", .from = 0},
                 .groups = seen.settings(),
                 .bars = {seen.bars(by_gossip, quantity), seen.bars(in_one_place, quantity)},
                 .lines = {}};
  return chart;
}

}  // namespace

ExperimentResult gossip_pca_kernel(const ExperimentOptions& options) {
  const Dataset digits = read_digits(options, {});
  const Index seeds = repetitions(options);
  const std::vector<Variant> list = variants(options);
  Steps steps(options.watch, "gossip-pca/kernel", list.size() * static_cast<std::size_t>(seeds));
  Measurements seen("features");
  for (Index seed = 0; seed < seeds; ++seed) {
    GossipNetwork network =
        digit_network(digits, options.quick ? 10 : 100, DigitOrder::random, static_cast<std::uint64_t>(seed));
    for (Samples& shard : network.shards) shard = shard.leftCols(100).eval();
    const Samples all = side_by_side(network.shards);
    const double gamma = gamma_median(all, network.seed);
    const central_kpca::Fit central = central_answer(all, gamma, options);
    for (const Variant& variant : list) {
      measure({options, network, all, central, gamma}, variant, seen);
      steps.next();
    }
  }
  return {
      .table = seen.table(),
      .summaries = {seen.summary(score_error), seen.summary(direction_error)},
      .pictures = {{"", chart_of(seen, direction_error, "directions")},
                   {"scores", chart_of(seen, score_error, "scores")}},
      .notes = {
          "V holds the scores of all images, made orthonormal; for landmarks, whose directions live in the "
          "kernel's own space, also the directions themselves",
          "landmarks are means of 3 images or more; gamma is the median's, the same for all"}};
}

}  // namespace choir
