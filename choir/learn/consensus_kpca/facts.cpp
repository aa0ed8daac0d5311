#include "choir/learn/consensus_kpca/facts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir::consensus_kpca {
namespace {

constexpr double skew_factor = 3;  // times what chance gives
constexpr Index default_guard = 5;

Index guard_of(const Options& options) {
  return options.guard.value_or(options.z_step == ZStep::paper ? 0 : default_guard);
}

// The smallest rank, with whose it is, and the largest bound.
Message extremes_of(const Facts& facts) {
  Message message(Kind::own_statistics);
  message.integer(facts.rank).integer(facts.rank_node).number(facts.rho_bound);
  return message;
}

Message more_extreme(const Message& mine, const Message& child) {
  const bool theirs =
      std::pair(child.integer(0), child.integer(1)) < std::pair(mine.integer(0), mine.integer(1));
  const Message& smaller = theirs ? child : mine;
  Message message(Kind::own_statistics);
  message.integer(smaller.integer(0)).integer(smaller.integer(1));
  message.number(std::max(mine.number(0), child.number(0)));
  return message;
}

}  // namespace

Task<Facts> agreed_facts(Node& node, SecureSums& sums, Facts mine) {
  const Message own = extremes_of(mine);
  const Combine fold = more_extreme;
  const Message extremes = co_await tree_fold(node, node.tree(), own, fold);
  Matrix summands(4, 1);
  summands << static_cast<double>(mine.samples), mine.trace, mine.between, mine.total;
  const Matrix all = co_await secure_sum(node, sums, std::move(summands));
  co_return Facts{.rho_bound = extremes.number(0),
                  .rank = static_cast<Index>(extremes.integer(0)),
                  .rank_node = static_cast<NodeId>(extremes.integer(1)),
                  .samples = static_cast<Index>(std::llround(all(0, 0))),
                  .trace = all(1, 0),
                  .between = all(2, 0),
                  .total = all(3, 0)};
}

Index most_columns(const Options& options) {
  const ComponentChoice& choice = options.n_components;
  return (choice.by_fraction() ? choice.max_count : choice.count) + guard_of(options);
}

Columns columns_for(const Options& options, const Facts& facts) {
  if (facts.rank == 0) {
    fail(ErrorCategory::InvalidArgument,
         "all samples that node {} sees are equal, so they have no components", facts.rank_node);
  }
  const ComponentChoice& choice = options.n_components;
  const Index wanted = choice.by_fraction() ? std::min(choice.max_count, facts.rank) : choice.count;
  if (wanted > facts.rank) {
    fail(ErrorCategory::InvalidArgument,
         "{} components were requested, but the samples of node {} and its neighbours span only {}; ask for "
         "fewer, or give it more samples or neighbours",
         wanted, facts.rank_node, facts.rank);
  }
  return {.components = wanted, .all = std::min(wanted + guard_of(options), facts.rank)};
}

void describe_skew(const Facts& facts, Index nodes, NodeResult& result) {
  if (!(facts.total > 0)) return;
  result.between_node_variance = facts.between / facts.total;
  const double chance = static_cast<double>(nodes) / static_cast<double>(facts.samples);
  if (result.between_node_variance <= skew_factor * chance) return;
  result.notes.push_back(fmt::format(
      "the nodes' data differ: {:.1f}% of the variance lies between the nodes' means, where chance gives "
      "{:.1f}%{}",
      100 * result.between_node_variance, 100 * chance,
      result.centering == Centering::local ? "; with local centering the answer may be wrong even though the "
                                             "nodes agree: use centering landmark"
                                           : ""));
}

}  // namespace choir::consensus_kpca
