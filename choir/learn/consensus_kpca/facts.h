// The few numbers that all nodes must have in common before they iterate: masked sums, and two extremes that
// parents in the tree see.
//
//   const Facts all = co_await agreed_facts(node, sums, mine);
#pragma once

#include "choir/learn/consensus_kpca/consensus_kpca.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::consensus_kpca {

struct Facts {
  double rho_bound = 0;  // largest
  Index rank = 0;        // smallest, of G_j
  NodeId rank_node = 0;  // whose: the lowest such node
  Index samples = 0;     // sum
  double trace = 0;      // sum of tr K_j
  double between = 0;    // sum of N_j ||m_j - m||^2
  double total = 0;      // sum over all samples of ||f(x) - m||^2
};

Task<Facts> agreed_facts(Node& node, SecureSums& sums, Facts mine);

// D + g as asked for.
Index most_columns(const Options& options);

// D and the number of columns D + g that G_j of every node has room for: the guard shrinks first.
struct Columns {
  Index components = 0;  // an upper limit if a share of the variance is requested
  Index all = 0;
};
// Throws Error(InvalidArgument) naming the node whose neighbourhood has too few independent samples.
Columns columns_for(const Options& options, const Facts& facts);

// The share of the variance that lies between the nodes' means, and a note if it is more than chance: J / N
// is expected if all nodes see the same distribution.
void describe_skew(const Facts& facts, Index nodes, NodeResult& result);

}  // namespace choir::consensus_kpca
