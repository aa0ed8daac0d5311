#include "choir/learn/consensus_kpca/feature_program.h"

#include <algorithm>
#include <utility>

#include "choir/base/stopwatch.h"
#include "choir/kernel/gram.h"
#include "choir/learn/agreement/agreement.h"
#include "choir/learn/consensus_kpca/appraised_basis.h"
#include "choir/learn/consensus_kpca/centring.h"
#include "choir/learn/consensus_kpca/facts.h"
#include "choir/learn/consensus_kpca/neighborhood_kernel.h"
#include "choir/learn/consensus_kpca/resemblance.h"
#include "choir/learn/consensus_kpca/surroundings.h"
#include "choir/learn/features/agreed_seed.h"
#include "choir/learn/features/appraisal.h"
#include "choir/learn/features/feature_map.h"
#include "choir/learn/features/random_totals.h"
#include "choir/linalg/pseudo_inverse.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"

namespace choir::consensus_kpca {
namespace {

// Scores are not quite those of a direction in the span of the own samples; where the kernel matrix has
// little variance, the difference would be all there is. Random features, which err in every direction, need
// more smoothing than landmarks (w of the first component, 2000 features: .917 with 1e-3, .934 with 1e-2,
// .944 with 2e-1, best possible .955; 200 landmarks: .954 with 1e-2, .950 with 2e-1).
constexpr double landmark_ridge = 1e-3;
constexpr double random_ridge = 1e-1;

Task<FeatureMap> agreed_features(Node& node, SecureSums& sums, Array shard, Kernel kernel,
                                 const Options& options, const Preprocessing& preprocessing,
                                 std::shared_ptr<FeatureStore> store) {
  if (options.share == Share::random_features) {
    const RandomTotals wanted{.count = options.n_features, .store = std::move(store)};
    const FeatureMap random = co_await agreed_random_features(node, sums, shard, kernel, wanted);
    co_return random;
  }
  FeatureMap map{.kernel = kernel};
  const LandmarkOptions wanted = landmarks_wanted(options, preprocessing);
  map.landmarks = co_await agreed_landmarks(node, sums, shard, kernel, wanted);
  co_return map;
}

// Coordinates, in the span of samples with kernel matrix V L V', of what has inner products y with them,
// where y is only nearly what anything in that span could have: L^1/2 (L + ridge L_1)^-1 V'y.
Matrix smooth_coordinates(const PseudoInverseBasis& basis, const Matrix& y, double ridge) {
  if (basis.rank() == 0) return Matrix::Zero(0, y.cols());
  const Vector weights = basis.L.array().sqrt() / (basis.L.array() + ridge * basis.L(0));
  return weights.asDiagonal() * (basis.V.transpose() * y);
}

// Directions in the span of the node's own samples whose scores come close to `scores` (N_j x D).
void keep_own_directions(const Matrix& kernel, const Matrix& scores, double ridge, NodeResult& result) {
  const PseudoInverseBasis basis = pseudo_inverse_basis<double>(kernel, rank_cutoff);
  const Matrix b = smooth_coordinates(basis, scores, ridge);
  result.own_coefficients = basis.lift(b);
  result.own_overlap = b.transpose() * b;
}

// The mean that random features know, as far as it lies in the span of the node's own samples.
MeanElement mean_in_own_span(const Array& own, const Matrix& kernel, const Vector& products) {
  const PseudoInverseBasis basis = pseudo_inverse_basis<double>(kernel, rank_cutoff);
  const Matrix coordinates = smooth_coordinates(basis, products, random_ridge);
  return {.points = own, .weights = basis.lift(coordinates), .norm = coordinates.squaredNorm()};
}

Matrix centred(Matrix kernel, const Vector& products, double mean_norm) {
  kernel.colwise() -= products;
  kernel.rowwise() -= products.transpose();
  kernel.array() += mean_norm;
  return kernel;
}

SharedFeatures learned_features(const Array& shard, const Matrix& scores, const FeatureBasis& basis,
                                const FeatureMap& map) {
  SampleRegression regression = regress_samples(shard.matrix(), scores);
  return {.count = map.random->count,
          .seed = map.random->seed,
          .mean = map.lifted(basis.mean),
          .directions = map.lifted(basis.directions),
          .sample_mean = std::move(regression.mean),
          .sample_slopes = std::move(regression.slopes)};
}

// How far a node's directions are from the mean of all nodes', for each component.
Task<Vector> distance_from_mean(Node& node, SecureSums& sums, const Matrix& directions) {
  const Matrix sum = co_await secure_sum(node, sums, directions);
  const Matrix mean = sum / static_cast<double>(node.network_size());
  const Vector distances = (directions - mean).colwise().norm();
  co_return distances;
}

// How much the nodes' samples differ, and how far the nodes agree.
Task<void> compare_nodes(Node& node, SecureSums& sums, const Matrix& psi, const FeatureBasis& basis,
                         const Options& options, NodeResult& result) {
  const FeatureMean seen = seen_from(basis.mean, psi);
  Facts facts{.samples = psi.cols(), .between = seen.own_between, .total = seen.own_total};
  facts = co_await agreed_facts(node, sums, facts);
  describe_skew(facts, node.network_size(), result);
  result.iterations = 1;
  result.converged = basis.converged;
  result.eigenvalues = basis.eigenvalues;
  result.trace = basis.trace;
  result.total_samples = facts.samples;
  result.consensus_gap = Vector::Zero(basis.eigenvalues.size());
  if (options.agree == Agree::tree) co_return;
  result.consensus_gap = co_await distance_from_mean(node, sums, basis.directions);
  result.change = result.consensus_gap.maxCoeff();
  result.converged = result.converged && result.change < options.tol;
}

}  // namespace

Task<NodeResult> feature_kpca(Node& node, Shard shard, Options options, Circumstances circumstances) {
  NodeResult result;
  result.node = node.id();
  result.share = options.share;
  result.use = options.use.value_or(Answer::shared);
  result.neighborhood = {node.id()};
  const Stopwatch setup;
  co_await agree_on_shapes(node, shard.samples());
  result.preprocessing = co_await agreed_preprocessing(node, options.preprocessing, shard.samples());
  shard.preprocess(result.preprocessing);
  const Array own = std::move(shard).share();
  result.kernel = options.kernel;
  if (uses_gamma(result.kernel.kind)) {
    result.kernel.gamma = co_await agreed_gamma(node, options.gamma, own.matrix());
    if (options.gamma.rule == GammaRule::median) result.notes.emplace_back(median_stand_in_note);
  }
  const Matrix kernel = gram<double>(result.kernel, own.matrix(), own.matrix());
  SecureSums sums = co_await open_secure_sums(node);
  co_await require_resemblance(node, sums, result.kernel, own.matrix(), kernel);
  result.shards = {own};
  const FeatureMap map = co_await agreed_features(node, sums, own, result.kernel, options,
                                                  result.preprocessing, circumstances.store);
  if (map.landmarks && !is_inner_product(result.kernel) && node.id() == node.tree().root)  // for all
    result.notes.push_back(words_of_negative_part(result.kernel, map.landmarks->points.matrix()));
  const Matrix psi = map.features(own.matrix());  // m x N_j
  result.setup_seconds = setup.seconds();
  node.watch().report("nodes ready", 1, 0);

  const Stopwatch agreeing;
  const AppraisedBasis shared = co_await appraised_basis(node, sums, map, psi, kernel, options);
  const FeatureBasis& basis = shared.basis;
  result.assessment = shared.assessment;
  result.kernel_error = shared.kernel_error;
  co_await compare_nodes(node, sums, psi, basis, options, result);

  const Matrix scores = (psi.colwise() - basis.mean).transpose() * basis.directions;  // y_j
  Vector products = psi.transpose() * basis.mean;                                     // a(x)
  if (map.landmarks) {
    result.mean = mean_element(*map.landmarks, basis.mean);
    result.shared_mean = result.mean;
    result.shared_coefficients = map.landmarks->whitening.matrix() * basis.directions;
  } else {
    result.mean = mean_in_own_span(own, kernel, products);
    products = kernel * result.mean.weights;
    result.features = learned_features(own, scores, basis, map);
  }
  const double ridge = map.landmarks ? landmark_ridge : random_ridge;
  keep_own_directions(centred(kernel, products, result.mean.norm), scores, ridge, result);
  if (result.use == Answer::own) {  // <w_j, u> from the scores of u
    Matrix seen = basis.directions * (scores.transpose() * result.own_coefficients);
    result.assessment = co_await appraised_own(node, shared, std::move(seen), result.own_overlap);
  }
  result.iterate_seconds = agreeing.seconds();
  co_return result;
}

}  // namespace choir::consensus_kpca
