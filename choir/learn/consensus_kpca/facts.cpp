#include "choir/learn/consensus_kpca/facts.h"

#include <algorithm>

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

Message to_message(const Facts& facts) {
  Message message(Kind::own_statistics);
  message.integer(facts.rank).integer(facts.rank_node).integer(facts.samples);
  message.number(facts.rho_bound).number(facts.trace).number(facts.between).number(facts.total);
  return message;
}

Facts to_facts(const Message& message) {
  return {.rho_bound = message.number(0),
          .rank = static_cast<Index>(message.integer(0)),
          .rank_node = static_cast<NodeId>(message.integer(1)),
          .samples = static_cast<Index>(message.integer(2)),
          .trace = message.number(1),
          .between = message.number(2),
          .total = message.number(3)};
}

Message combine(const Message& mine, const Message& child) {
  Facts all = to_facts(mine);
  const Facts other = to_facts(child);
  all.rho_bound = std::max(all.rho_bound, other.rho_bound);
  if (other.rank < all.rank || (other.rank == all.rank && other.rank_node < all.rank_node)) {
    all.rank = other.rank;
    all.rank_node = other.rank_node;
  }
  all.samples += other.samples;
  all.trace += other.trace;
  all.between += other.between;
  all.total += other.total;
  return to_message(all);
}

}  // namespace

Task<Facts> agreed_facts(Node& node, Facts mine) {
  const Message own = to_message(mine);
  const Combine fold = combine;
  const Message all = co_await tree_fold(node, node.tree(), own, fold);
  co_return to_facts(all);
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
