#include "choir/learn/consensus_kpca/surroundings.h"

#include <utility>

#include "choir/base/error.h"

namespace choir::consensus_kpca {

std::vector<Index> Neighborhood::sizes() const {
  std::vector<Index> sizes;
  for (const Array& shard : shards) sizes.push_back(shard.columns());
  return sizes;
}

std::vector<Eigen::Map<const Matrix>> matrices_of(const std::vector<Array>& shards) {
  std::vector<Eigen::Map<const Matrix>> matrices;
  for (const Array& shard : shards) matrices.push_back(shard.matrix());
  return matrices;
}

Task<void> agree_on_shapes(Node& node, SamplesMap shard) {
  if (shard.cols() == 0) {
    fail(ErrorCategory::InvalidArgument,
         "node {} has no samples; give it some, or leave it out of the network", node.id());
  }
  Message mine(Kind::control);
  mine.integer(shard.rows());
  const Inbox inbox = co_await node.exchange(mine, node.deadline());
  for (const Received& other : inbox) {
    const std::int64_t theirs = other.message.integer(0);
    if (theirs == shard.rows()) continue;
    fail(ErrorCategory::InvalidArgument,
         "node {} has samples of {} features and its neighbour, node {}, of {}; all nodes need the same",
         node.id(), shard.rows(), other.from, theirs);
  }
}

void require_all(const Node& node, const Inbox& inbox) {
  if (inbox.size() == node.neighbors().size()) return;
  fail(ErrorCategory::PeerLost,
       "node {} lost a neighbour during set-up, before the iterations that can do without one; start again "
       "without the lost node",
       node.id());
}

Array with_noise(const Node& node, const Array& samples, double sigma) {
  if (sigma == 0) return samples;
  Rng rng = node.rng(Purpose("exchange noise"), 0);
  Matrix noisy = samples.matrix();
  for (Index n = 0; n < noisy.cols(); ++n) {
    for (Index m = 0; m < noisy.rows(); ++m) noisy(m, n) += sigma * rng.normal();
  }
  return Array(std::move(noisy));
}

Task<Neighborhood> meet_neighbors(Node& node, Array own, Array shown) {
  Message mine(Kind::raw_samples);
  mine.array(shown);
  const Inbox inbox = co_await node.exchange(mine, node.deadline());
  require_all(node, inbox);
  Neighborhood around;
  around.nodes.push_back(node.id());
  around.shards.push_back(own);
  for (const Received& other : inbox) {
    const Array& theirs = other.message.array(0);
    if (theirs.rows() != own.rows()) {
      fail(ErrorCategory::BadData, "node {} sent samples of {} features to node {}, which has {}", other.from,
           theirs.rows(), node.id(), own.rows());
    }
    around.nodes.push_back(other.from);
    around.shards.push_back(theirs);
  }
  co_return around;
}

}  // namespace choir::consensus_kpca
