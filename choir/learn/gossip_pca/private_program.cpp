#include "choir/learn/gossip_pca/private_program.h"

#include <utility>

#include "choir/base/stopwatch.h"
#include "choir/learn/gossip_pca/private_options.h"
#include "choir/learn/privacy/private_choices.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"

namespace choir::gossip_pca {
namespace {

void keep(const NoisyComponents& found, double length, Index nodes, NodeResult& result) {
  result.mean = length * found.mean;
  result.directions = found.directions;
  result.variances = length * length * found.variances;
  result.total_variance = length * length * found.total_variance;
  result.total_weight = static_cast<double>(found.samples);
  result.samples = found.samples;
  result.participants = nodes;
  result.refined = true;
  result.converged = true;
  const std::string doubts = noise_words(found);
  if (!doubts.empty()) result.notes.push_back(doubts);
}

}  // namespace

Task<NodeResult> private_pca(Node& node, Shard shard, Options options, Circumstances circumstances) {
  require_all_nodes(node.lost_peers());
  const Stopwatch clock;
  NodeResult result;
  result.node = node.id();
  result.preprocessing = options.preprocessing;
  result.weight = static_cast<double>(shard.cols());
  const ComponentsBudget budget = private_budget(options, node.network_size());
  const Index samples = co_await public_sample_count(node, shard.cols(), shard.rows());
  shard.preprocess(result.preprocessing);
  const Array own = std::move(shard).share();
  SecureSums sums = co_await open_secure_sums(node);
  double length = 1;  // of what has length 1 when it is summed
  Matrix psi;         // m x N_j
  if (options.features == FeatureKind::none) {
    length = *options.privacy.clip;
    psi = own.matrix() / length;
  } else {
    PrivateFeatures wanted = private_features_wanted(options);
    wanted.store = circumstances.store;
    result.map = co_await private_features(node, sums, own, samples, wanted, budget);
    psi = result.map->features(own.matrix());
  }
  const NoisyComponents found =
      co_await noisy_components(node, sums, std::move(psi), samples, options.n_components, budget);
  keep(found, length, node.network_size(), result);
  if (result.map && result.map->random)  // a regression of the node's own samples would show them
    result.regression = SampleRegression{.mean = Vector::Zero(own.rows()),
                                         .slopes = Matrix::Zero(own.rows(), found.directions.cols())};
  result.seconds = clock.seconds();
  co_return result;
}

}  // namespace choir::gossip_pca
