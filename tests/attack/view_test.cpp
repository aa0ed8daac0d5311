// The spyglass itself: it shows what the curious nodes are sent, and nothing else.
#include "attack/view.h"

#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/engines.h"

namespace choir::testing_attack {
namespace {

// Everybody says ten times its number, then "done", to all neighbours.
Task<int> tell(Node& node) {
  Message word(Kind::own_statistics);
  word.array(Matrix(Matrix::Constant(2, 1, 10.0 * node.id())));
  co_await node.exchange(word, node.deadline());
  const Message done(Kind::control);
  co_await node.exchange(done, node.deadline());
  co_return 0;
}

TEST(View, HoldsWhatTheCuriousAreSentOnEveryEngine) {
  for (const char* name : {"sim", "local"}) {
    View view({1});
    const Contract contract{.method = "tell", .kinds = {Kind::own_statistics, Kind::control}};
    run_nodes<int>(*make_engine(name), make_topology("line", 4, 0), contract, view.of(), tell);
    ASSERT_EQ(view.sights().size(), 4u) << name;  // nodes 0 and 2, two messages each
    EXPECT_EQ(view.sights(Kind::control).size(), 2u);
    const std::vector<Sight> words = view.sights(Kind::own_statistics, 2);
    ASSERT_EQ(words.size(), 1u);
    EXPECT_EQ(words[0].to, 1);
    EXPECT_EQ(words[0].message.array(0).matrix()(1, 0), 20);
  }
}

TEST(View, OfNodesInLeagueIsWhatAllOfThemSee) {
  View view({1, 3});
  const Contract contract{.method = "tell", .kinds = {Kind::own_statistics, Kind::control}};
  run_nodes<int>(*make_engine("sim"), make_topology("line", 4, 0), contract, view.of(), tell);
  EXPECT_EQ(view.sights().size(), 6u);
  EXPECT_EQ(view.sights(Kind::own_statistics, 2).size(), 2u);
}

TEST(View, CountsSamplesThatWereGuessed) {
  const Samples truth{{1, 2, 3}, {4, 5, 6}};
  const Samples guesses{{3.001, 9, 1, 1}, {6, 9, 4.1, 4}};
  EXPECT_EQ(recovered(truth, guesses, 0.01), 2);
  EXPECT_EQ(recovered(truth, guesses, 1e-6), 1);
  EXPECT_EQ(recovered(truth, Samples(2, 0), 1), 0);
}

}  // namespace
}  // namespace choir::testing_attack
