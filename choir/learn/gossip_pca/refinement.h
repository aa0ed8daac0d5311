// Makes an answer exact that gossip has brought near: the root of the tree asks all nodes for products of the
// covariance with its directions, adds them up, and takes Rayleigh-Ritz steps in the space they span. All
// nodes take part or none does.
//
//   const std::optional<Refined> refined = co_await refine(node, columns, start, rule, given_up);
//   if (!refined) ...                                     // somebody is missing: the old answer stands
//
// Nothing that happens to the network makes it throw, and it waits no longer than a deadline for any message.
// A node that is cut off while the last answer spreads keeps its old one, and says so.
#pragma once

#include <optional>
#include <vector>

#include "choir/learn/gossip_pca/ritz_space.h"
#include "choir/learn/gossip_pca/scatter_sums.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::gossip_pca {

struct RefinementRule {
  Index kept = 0;       // components that must be right
  Index width = 0;      // directions that are multiplied at a time, guard columns included
  double tol = 1e-4;    // on the relative growth of the kept values in a step
  bool centred = true;  // about the mean, not about the origin

  static constexpr Index most_steps = 10;
  // The whole covariance is summed where that is no more than what the steps may send.
  bool sums_whole_scatter(Index dimension) const {
    return triangle_size(dimension) <= most_steps * dimension * width;
  }
};

// What the root begins with; of no account at the others.
struct RefinementStart {
  Matrix directions;  // M x any, orthonormal
  Vector origin;      // M: near the mean
};

struct Refined {
  Vector mean;        // M
  Matrix directions;  // M x kept, or fewer if there are fewer
  Vector values;      // of these and of the guard columns, descending
  Vector residuals;   // as many
  double samples = 0;
  double total_variance = 0;
  double growth = 0;  // largest relative growth of a kept value in the last step
  Index steps = 0;    // products that were summed; 1: of the whole covariance
  bool converged = false;
};

// `columns`: the node's own, M x n. `silent`: neighbours that did not answer before; they are waited for too,
// but not as long. Throws Error(BadData) for messages that do not fit.
Task<std::optional<Refined>> refine(Node& node, Array columns, RefinementStart start, RefinementRule rule,
                                    std::vector<NodeId> silent);

// Cosines that are claimed for the first `count` components.
Vector claims_of(const Refined& refined, Index count);

// Values that are components, and not rounding.
Index significant_values(const Vector& values);

}  // namespace choir::gossip_pca
