// Makes an answer exact that gossip has brought near, or finds it without gossip: the root of the tree asks
// all nodes for products of the covariance with its directions, adds them up, and takes Rayleigh-Ritz steps
// in the space they span; or for the whole covariance. All nodes take part or none does.
//
//   const std::optional<Refined> refined = co_await refine(node, own, start, rule, {.silent = given_up});
//   if (!refined) ...                                     // somebody is missing: the old answer stands
//
// Nothing that happens to the network makes it throw, and it waits no longer than a deadline for any message.
// A node that is cut off while the last answer spreads keeps its old one, and says so.
#pragma once

#include <optional>
#include <vector>

#include "choir/learn/components.h"
#include "choir/learn/gossip_pca/feature_claims.h"
#include "choir/learn/gossip_pca/ritz_space.h"
#include "choir/learn/gossip_pca/scatter_sums.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::gossip_pca {

struct RefinementRule {
  ComponentChoice components = {};
  Index kept = 0;          // most components, which must be right
  Index width = 0;         // directions that are multiplied at a time, guard columns included
  double tol = 1e-4;       // on the relative growth of the kept values in a step
  bool centred = true;     // about the mean, not about the origin
  bool appraised = false;  // columns are features of a kernel: what is claimed needs their whole covariance

  static constexpr Index most_steps = 10;
  // The whole covariance is summed where that is no more than what the steps may send.
  bool sums_whole_scatter(Index dimension) const {
    return appraised || triangle_size(dimension) <= most_steps * dimension * width;
  }
};

// What a node brings along.
struct OwnColumns {
  Array columns;                          // M x n
  std::optional<KernelForm> kernel = {};  // whose features they are
};

// What the root begins with; of no account at the others.
struct RefinementStart {
  Matrix directions;  // M x any, orthonormal
  Vector origin;      // M: near the mean
};

// How long others are waited for.
struct Patience {
  std::vector<NodeId> silent = {};  // neighbours that did not answer before: waited for, but not as long
  bool brief = false;  // for everybody's first sums, because gossip can do without those who are not there
};

struct Refined {
  Vector mean;        // M
  Matrix directions;  // M x kept, or fewer if there are fewer
  Vector values;      // of these and of the guard columns, descending
  Vector residuals;   // as many
  Vector claims;      // appraised: cosines to the kernel's components, of as many as `components` asks for
  double captured_share = 0;  // appraised landmarks: of the variance of as many central components
  double samples = 0;
  double total_variance = 0;
  double between_nodes = 0;  // share of the columns' variance between the nodes' means
  double growth = 0;         // largest relative growth of a kept value in the last step
  Index steps = 0;           // products that were summed; 1: of the whole covariance
  bool converged = false;
};

// Throws Error(BadData) for messages that do not fit.
Task<std::optional<Refined>> refine(Node& node, OwnColumns own, RefinementStart start, RefinementRule rule,
                                    Patience patience);

// Cosines that are claimed for the first `count` components: those of the columns' covariance, by residuals;
// appraised: those of the kernel.
Vector claims_of(const Refined& refined, Index count);

// Values that are components, and not rounding.
Index significant_values(const Vector& values);
// How many of these values (descending) were asked for.
Index components_of(const Vector& values, double total_variance, const ComponentChoice& choice);

}  // namespace choir::gossip_pca
