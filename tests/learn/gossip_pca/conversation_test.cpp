// Sums along a tree in which somebody may be missing: all get an answer or a refusal, and nobody waits for
// ever.
#include "choir/learn/gossip_pca/conversation.h"

#include "learn/gossip_pca/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/gossip_pca/hidden_sums.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::gossip_pca {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Contract talk_contract{.method = "conversation",
                             .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};

// The ids of all nodes, added up; -1: somebody is missing.
Task<double> sum_of_ids(Node& node, bool brief) {
  Patience patience{.brief = brief};
  const Conversation talk(node, std::move(patience));
  const std::optional<SecureSums> sums = co_await introduce(talk);
  std::optional<Matrix> sum;
  if (sums) {
    Matrix mine = Matrix::Constant(1, 1, static_cast<double>(node.id()));
    sum = co_await add_up(talk, *sums, std::move(mine));
  }
  std::optional<Message> total;
  if (sum && talk.is_root()) total = spoken(Word::answer, Kind::totals).number((*sum)(0, 0));
  if (sum && !talk.is_root()) total = co_await hear(talk, talk.tree().parent);
  if (!total) {
    talk.refuse();
    co_return -1;
  }
  const Message& told = *total;
  talk.tell_children(told);
  co_return told.number(0);
}

Outcome<double> talk_over(const SimOptions& network, bool brief, const char* topology = "tree:2") {
  SimEngine engine(network);
  RunOptions run;
  run.lost_peers = LostPeers::proceed;
  return run_nodes<double>(engine, make_topology(topology, 9, 0), talk_contract, run,
                           [&](Node& node) { return sum_of_ids(node, brief); });
}

TEST(Conversation, AddsUpWhatAllNodesSay) {
  for (const bool brief : {false, true}) {
    SimOptions lossy;
    lossy.loss = 0.3;
    for (const auto& sum : talk_over(lossy, brief).results) EXPECT_EQ(*sum, 36);
  }
}

TEST(Conversation, IsRefusedByAllIfAnybodyIsMissing) {
  for (const NodeId dead : {0, 1, 3}) {
    SimOptions network;
    network.crashes.push_back({.node = dead, .at = Duration(0)});
    const Outcome<double> outcome = talk_over(network, true);
    for (NodeId node = 0; node < 9; ++node) {
      const auto& sum = outcome.results[static_cast<std::size_t>(node)];
      EXPECT_EQ(sum.has_value(), node != dead);
      if (sum) EXPECT_EQ(*sum, -1) << dead << " " << node;
    }
    EXPECT_LE(outcome.report.elapsed, seconds(13)) << "a brief one";
  }
}

TEST(Conversation, IsAsPatientAsTheRunUnlessItIsBrief) {
  SimOptions late;
  late.joins.push_back({.node = 8, .at = seconds(30)});
  for (const auto& sum : talk_over(late, false).results) EXPECT_EQ(*sum, 36);
  for (const auto& sum : talk_over(late, true).results) EXPECT_EQ(*sum, -1);
}

}  // namespace
}  // namespace choir::gossip_pca
