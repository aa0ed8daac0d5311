// When a node has settled, and when it takes that back.
#include "choir/learn/gossip_pca/estimate.h"

#include <cmath>

#include "learn/gossip_pca/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::gossip_pca {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Contract estimate_contract{.method = "estimate",
                                 .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
const SummaryRule whole_rule{.merge = MergeRule::gram, .carry = 8};

// Node 0 of two, which is given shares as if node 1 had sent them.
class Listener {
 public:
  explicit Listener(Node& node)
      : options_(two_receptions()), estimate_(node, known(), whole_rule, options_, circumstances_, {}) {}

  static Summary known() { return summary_of_samples(spread_samples(6, 60, 1), whole_rule); }
  static Summary news() { return summary_of_samples(spread_samples(6, 600, 2).array() + 5, whole_rule); }

  // A window of shares that say the same as the node itself, in its own proportions.
  void hear_the_same() {
    for (Index i = 0; i < options_.window; ++i) hear(known());
  }
  void hear(const Summary& summary) {
    estimate_.take(1, pack(summary, Participants(2, 1).words(), Kind::own_statistics));
  }
  void get_back(double share) { estimate_.take(0, estimate_.give(share)); }
  bool settled() const { return estimate_.is_settled(); }

 private:
  static Options two_receptions() {
    Options options = plain_options(3, 100);
    options.tol = 1e-2;
    options.window = 2;
    return options;
  }

  Options options_;
  Circumstances circumstances_;
  Estimate estimate_;
};

// Runs the story at node 0.
void tell(const std::function<void(Listener&)>& story) {
  SimEngine engine;
  run_nodes<int>(engine, make_topology("complete", 2, 0), estimate_contract, {},
                 [&](Node& node) -> Task<int> {
                   if (node.id() == 0) {
                     Listener listener(node);
                     story(listener);
                   }
                   co_return 0;
                 });
}

TEST(Estimate, HasSettledAfterTwoCalmWindows) {
  tell([](Listener& node) {
    EXPECT_FALSE(node.settled());
    node.hear_the_same();
    EXPECT_FALSE(node.settled()) << "one calm window may be luck";
    node.hear_the_same();
    EXPECT_TRUE(node.settled());
  });
}

TEST(Estimate, TakesItBackWhenNewsCome) {
  tell([](Listener& node) {
    node.hear_the_same();
    node.hear_the_same();
    ASSERT_TRUE(node.settled());
    node.hear(Listener::news());
    node.hear(Listener::known());
    EXPECT_FALSE(node.settled()) << "the window that brought the news was not calm";
  });
}

TEST(Estimate, TakesItBackWhenAShareComesBack) {
  tell([](Listener& node) {
    node.hear_the_same();
    node.hear_the_same();
    ASSERT_TRUE(node.settled());
    node.get_back(0.5);
    EXPECT_FALSE(node.settled());
    node.hear_the_same();
    node.hear_the_same();
    EXPECT_TRUE(node.settled()) << "and settles again";
  });
}

// Two halves with different data, cut apart after all have heard of all: each half becomes calm, and what the
// other half says afterwards is news. A half-life of years keeps the run from being refined.
TEST(Estimate, HalvesThatSettledApartTakeItBackAndSettleTogether) {
  constexpr Index nodes = 12;
  Samples samples = low_rank_samples(30, 4, 600, 1);
  samples.leftCols(300).row(0).array() += 20;
  Options options = plain_options(4, 2000);
  options.tol = 1e-4;
  options.half_life = std::chrono::hours(100000);
  SimOptions network;
  network.partitions.push_back(
      {.first = 0, .last = nodes / 2 - 1, .from = milliseconds(60), .to = milliseconds(3000)});
  const Fit fit = simulate(dealt(samples, nodes), options, network);
  const double window_share = 1 - std::exp(-static_cast<double>(options.window) * rate_of_gossip(1));
  const auto calm = [&](const Window& window) {
    return window.change < window_share * options.tol && window.gap < std::sqrt(options.tol);
  };
  Index took_back = 0;
  for (const auto& node : fit.nodes) {
    EXPECT_TRUE(node->converged) << "node " << node->node;
    EXPECT_FALSE(node->refined);
    EXPECT_EQ(node->participants, nodes);
    EXPECT_LT((node->mean - samples.rowwise().mean()).norm(), 1e-2 * samples.rowwise().mean().norm());
    const auto& windows = node->history;
    for (std::size_t i = 2; i < windows.size(); ++i) {
      if (calm(windows[i - 2]) && calm(windows[i - 1]) && !calm(windows[i])) ++took_back;
    }
  }
  EXPECT_GT(took_back, 0) << "without that the test shows nothing";
}

}  // namespace
}  // namespace choir::gossip_pca
