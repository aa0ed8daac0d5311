#include "choir/runtime/blocks/metropolis_mix.h"

#include "choir/base/error.h"
#include "choir/runtime/blocks/average.h"

namespace choir {

Matrix MetropolisMix::apply(const Node& node, const Matrix& x, const Inbox& inbox) const {
  Matrix mixed = x;
  for (const Received& other : inbox) {
    const auto theirs = other.message.array(0).matrix();
    if (theirs.rows() != x.rows() || theirs.cols() != x.cols()) {
      fail(ErrorCategory::BadData, "node {} sent {} x {} values to node {}, which has {} x {}", other.from,
           theirs.rows(), theirs.cols(), node.id(), x.rows(), x.cols());
    }
    mixed += weights_[static_cast<std::size_t>(other.position)] * (theirs - x);
  }
  return mixed;
}

Task<MetropolisMix> learn_metropolis_mix(Node& node) {
  const auto neighbors = static_cast<Index>(node.neighbors().size());
  Index degree = 0;
  for (Index position = 0; position < neighbors; ++position) degree += node.lost(position) ? 0 : 1;
  Message mine(Kind::control);
  mine.integer(degree);
  const Inbox inbox = co_await node.exchange(mine, node.deadline());
  std::vector<double> weights(static_cast<std::size_t>(neighbors), 0);
  for (const Received& other : inbox) {
    weights[static_cast<std::size_t>(other.position)] = metropolis_weight(degree, other.message.integer(0));
  }
  co_return MetropolisMix(std::move(weights));
}

}  // namespace choir
