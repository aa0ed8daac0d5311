#include "choir/learn/consensus_kpca/surroundings.h"

#include <utility>

#include "choir/base/error.h"
#include "choir/base/rng.h"
#include "choir/crypto/key_stream.h"
#include "choir/crypto/secret.h"
#include "choir/learn/plausibility.h"

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
         "node {} has no samples; give it some, or remove it from the network", node.id());
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

Array with_noise(const Array& samples, double sigma) {
  if (sigma == 0) return samples;
  Matrix noisy = samples.matrix();
  std::vector<std::uint64_t> words(static_cast<std::size_t>(noisy.size()));
  add_stream(Secret::random(stream_seed_bytes), words, Sign::plus);
  for (Index i = 0; i < noisy.size(); ++i) {
    const double uniform = (static_cast<double>(words[static_cast<std::size_t>(i)] >> 12) + 0.5) * 0x1p-52;
    noisy.data()[i] += sigma * normal_quantile(uniform);
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
    matrix_from(other, 0, own.rows(), theirs.columns(), "samples");
    around.nodes.push_back(other.from);
    around.shards.push_back(theirs);
  }
  co_return around;
}

}  // namespace choir::consensus_kpca
