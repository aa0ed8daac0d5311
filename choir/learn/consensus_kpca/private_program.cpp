#include "choir/learn/consensus_kpca/private_program.h"

#include <utility>

#include "choir/base/stopwatch.h"
#include "choir/learn/consensus_kpca/centring.h"
#include "choir/learn/consensus_kpca/private_options.h"
#include "choir/learn/consensus_kpca/surroundings.h"
#include "choir/learn/privacy/private_choices.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"

namespace choir::consensus_kpca {
namespace {

NodeResult result_without_samples(const Node& node, const Options& options) {
  NodeResult result;
  result.node = node.id();
  result.kernel = options.kernel;
  result.kernel.gamma = options.gamma.value;
  result.preprocessing = options.preprocessing;
  result.share = options.share;
  result.neighborhood = {node.id()};
  return result;
}

// Samples from scores would be a regression of the node's own samples: there is none.
SharedFeatures random_answer(const FeatureMap& map, const NoisyComponents& found, Index inputs) {
  return {.count = map.random->count,
          .seed = map.random->seed,
          .mean = found.mean,
          .directions = found.directions,
          .sample_mean = Vector::Zero(inputs),
          .sample_slopes = Matrix::Zero(inputs, found.directions.cols())};
}

void keep(const FeatureMap& map, const NoisyComponents& found, Index inputs, NodeResult& result) {
  if (map.landmarks) {
    result.shared_mean = mean_element(*map.landmarks, found.mean);
    result.mean = result.shared_mean;
    result.shared_coefficients = map.landmarks->whitening.matrix() * found.directions;
  } else {
    result.features = random_answer(map, found, inputs);
  }
  const auto samples = static_cast<double>(found.samples);
  result.total_samples = found.samples;
  result.eigenvalues = samples * found.variances;
  result.trace = samples * found.total_variance;
  result.consensus_gap = Vector::Zero(found.variances.size());
  result.iterations = 1;
  result.converged = true;
  const std::string doubts = noise_words(found);
  if (!doubts.empty()) result.notes.push_back(doubts);
}

}  // namespace

Task<NodeResult> private_kpca(Node& node, Shard shard, Options options, Circumstances circumstances) {
  require_all_nodes(node.lost_peers());
  const Stopwatch setup;
  NodeResult result = result_without_samples(node, options);
  const ComponentsBudget budget = private_budget(options, node.network_size());
  PrivateFeatures wanted = private_features_wanted(options);
  wanted.kernel = result.kernel;
  wanted.store = circumstances.store;
  co_await agree_on_shapes(node, shard.samples());
  const Index samples = co_await public_sample_count(node, shard.cols(), shard.rows());
  shard.preprocess(result.preprocessing);
  const Array own = std::move(shard).share();
  SecureSums sums = co_await open_secure_sums(node);
  const FeatureMap map = co_await private_features(node, sums, own, samples, wanted, budget);
  result.setup_seconds = setup.seconds();
  node.watch().report("nodes ready", 1, 0);

  const Stopwatch agreeing;
  Matrix psi = map.features(own.matrix());  // m x N_j
  const NoisyComponents found =
      co_await noisy_components(node, sums, std::move(psi), samples, options.n_components, budget);
  keep(map, found, own.rows(), result);
  result.iterate_seconds = agreeing.seconds();
  co_return result;
}

}  // namespace choir::consensus_kpca
