// One step of averaging with the neighbours, W x, as a node sees it.
//
//   const MetropolisMix mix = co_await learn_metropolis_mix(node);
//   const Matrix wx = mix.apply(node, x, inbox);                 // the inbox's messages begin with their x
#pragma once

#include <vector>

#include "choir/linalg/types.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

class MetropolisMix {
 public:
  explicit MetropolisMix(std::vector<double> weights) : weights_(std::move(weights)) {}

  // x + sum_i w_i (x_i - x). The two ends of a link add the same bits with opposite signs, which keeps the
  // sum over nodes; a node that is not in the inbox has no share. Throws Error(BadData) that names a
  // neighbour whose x has another shape.
  Matrix apply(const Node& node, const Matrix& x, const Inbox& inbox) const;

  double weight(Index position) const { return weights_[static_cast<std::size_t>(position)]; }

 private:
  std::vector<double> weights_;  // beside node.neighbors()
};

// One round in which neighbours tell each other how many neighbours they have.
Task<MetropolisMix> learn_metropolis_mix(Node& node);

}  // namespace choir
