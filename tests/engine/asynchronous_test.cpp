// Programs that send, receive and sleep: conservation laws hold on every engine.
#include <numeric>

#include "engine/suite_engine.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/runtime/process_group.h"

namespace choir {
namespace {

const Contract contract{.method = "suite", .kinds = {Kind::own_statistics, Kind::totals, Kind::control}};

double total(Engine& engine, const std::vector<std::optional<double>>& results) {
  double own = 0;
  for (const auto& value : results) own += value.value_or(0);
  double sum = 0;
  for (const double part : ProcessGroup(engine).tell_all(Kind::summaries, own)) sum += part;
  return sum;
}

// A token goes three times around the ring; everyone counts how often it came by.
Task<double> pass_the_token(Node& node) {
  const Channel channel = node.open_channel();
  const auto last = static_cast<NodeId>(node.network_size() - 1);
  const NodeId next = node.id() == last ? 0 : node.id() + 1;
  const NodeId previous = node.id() == 0 ? last : node.id() - 1;
  double seen = 0;
  for (int lap = 0; lap < 3; ++lap) {
    if (node.id() != 0 || lap > 0) {
      const auto token = co_await node.receive_from(previous, channel, node.deadline());
      seen += token ? 1 : 0;
    }
    Message token(Kind::control);
    token.on(channel, static_cast<std::uint64_t>(lap));
    node.send(next, token);
  }
  if (node.id() == 0) {
    const auto token = co_await node.receive_from(previous, channel, node.deadline());
    seen += token ? 1 : 0;
  }
  co_return seen;
}

TEST(Asynchronous, ATokenPassesEveryoneInOrder) {
  Engine& engine = *suite_engine();
  const Graph graph = make_topology("ring:2", 12, 0);
  const auto outcome = run_nodes<double>(engine, graph, contract, {}, pass_the_token);
  EXPECT_EQ(total(engine, outcome.results), 3 * 12);
  EXPECT_EQ(outcome.report.ledger.total().messages, 36u);
}

// Gives away parts of what it has at random times, and keeps what it gets.
Task<double> give_and_take(Node& node) {
  const Channel channel = node.open_channel();
  Rng rng = node.rng(Purpose("give"), 0);
  std::int64_t coins = 1000;
  for (int gift = 0; gift < 10; ++gift) {
    const auto pause = std::chrono::microseconds(static_cast<std::int64_t>(rng.below(3000)));
    const auto received = co_await node.receive(channel, Deadline::after(pause, node.now()));
    if (received) coins += received->message.integer(0);
    const std::int64_t given = coins / 3;
    coins -= given;
    Message message(Kind::own_statistics);
    message.on(channel, 0).integer(given);
    node.send(node.neighbors()[rng.below(node.neighbors().size())], message);
  }
  co_await node.sleep(std::chrono::milliseconds(100));
  while (true) {
    const auto late =
        co_await node.receive(channel, Deadline::after(std::chrono::milliseconds(200), node.now()));
    if (!late) break;
    coins += late->message.integer(0);
  }
  co_return static_cast<double>(coins);
}

TEST(Asynchronous, WhatIsGivenIsTaken) {
  Engine& engine = *suite_engine();
  const Graph graph = make_topology("erdos:0.3", 20, 1);
  const auto outcome = run_nodes<double>(engine, graph, contract, {}, give_and_take);
  EXPECT_EQ(total(engine, outcome.results), 20 * 1000);
  EXPECT_EQ(outcome.report.ledger.total(Kind::own_statistics).messages, 200u);
}

Task<double> sleeps(Node& node) {
  const Time begin = node.now();
  co_await node.sleep(std::chrono::milliseconds(5 * (node.id() % 4)));
  co_return std::chrono::duration<double>(node.now() - begin).count();
}

TEST(Asynchronous, NobodyWakesUpTooEarly) {
  Engine& engine = *suite_engine();
  const Graph graph = make_topology("ring:2", 12, 0);
  const auto outcome = run_nodes<double>(engine, graph, contract, {}, sleeps);
  for (NodeId node = 0; node < 12; ++node) {
    const auto& slept = outcome.results[static_cast<std::size_t>(node)];
    if (slept) {
      EXPECT_GE(*slept, 0.005 * (node % 4));
    }
  }
}

// Rounds and messages at the same time, on their own channels.
Task<double> both_at_once(Node& node) {
  const Channel first = node.open_channel();
  const Channel second = node.open_channel();
  for (const NodeId other : node.neighbors()) {
    for (const Channel channel : {second, first}) {
      Message message(Kind::own_statistics);
      message.on(channel, 0).integer(channel == first ? 1 : 100);
      node.send(other, message);
    }
  }
  const Message round(Kind::control);
  co_await node.exchange(round, node.deadline());
  double sum = 0;
  for (const NodeId other : node.neighbors()) {
    const auto one = co_await node.receive_from(other, first, node.deadline());
    sum += one ? static_cast<double>(one->message.integer(0)) : 0;
  }
  for (std::size_t i = 0; i < node.neighbors().size(); ++i) {
    const auto hundred = co_await node.receive(second, node.deadline());
    sum += hundred ? static_cast<double>(hundred->message.integer(0)) : 0;
  }
  co_return sum;
}

TEST(Asynchronous, ChannelsAreKeptApart) {
  Engine& engine = *suite_engine();
  const Graph graph = make_topology("ring:4", 12, 0);
  expect_everywhere(run_nodes<double>(engine, graph, contract, {}, both_at_once), 4 * 101.0);
}

}  // namespace
}  // namespace choir
