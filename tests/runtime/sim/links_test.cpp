#include "choir/runtime/sim/links.h"

#include <cmath>

#include "runtime/support.h"

namespace choir {
namespace {

using namespace std::chrono_literals;

constexpr int many = 20'000;

class SimLinksTest : public ::testing::Test {
 protected:
  SimLinks links(Links mode, std::uint64_t seed = 1) const { return SimLinks(graph_, options_, mode, seed); }
  Link link(NodeId from, NodeId to) const { return table_.link_between(from, to); }

  const Graph graph_ = line_graph(4);
  const LinkTable table_{graph_};
  SimOptions options_;
};

TEST_F(SimLinksTest, WithoutFaultsAMessageTakesTheLatency) {
  for (const Links mode : {Links::reliable, Links::raw}) {
    SimLinks links = this->links(mode);
    const Arrival arrival = links.send(link(0, 1), Time(5s));
    EXPECT_EQ(arrival.first, Time(5s + 1ms));
    EXPECT_FALSE(arrival.second);
  }
}

TEST_F(SimLinksTest, RawLinksLoseTheShareTheyWereTold) {
  options_.loss = 0.3;
  SimLinks links = this->links(Links::raw);
  int lost = 0;
  for (int i = 0; i < many; ++i) lost += links.send(link(0, 1), Time(i * 1ms)).first ? 0 : 1;
  EXPECT_NEAR(lost, 0.3 * many, 5 * std::sqrt(0.3 * 0.7 * many));
}

TEST_F(SimLinksTest, RawLinksDoubleTheShareTheyWereTold) {
  options_.duplicate = 0.2;
  SimLinks links = this->links(Links::raw);
  int doubled = 0;
  for (int i = 0; i < many; ++i) {
    const Arrival arrival = links.send(link(0, 1), Time(i * 1ms));
    ASSERT_TRUE(arrival.first);
    doubled += arrival.second ? 1 : 0;
  }
  EXPECT_NEAR(doubled, 0.2 * many, 5 * std::sqrt(0.2 * 0.8 * many));
}

TEST_F(SimLinksTest, ReliableLinksNeverLoseOrDoubleButDelay) {
  options_.loss = 0.5;
  options_.duplicate = 0.5;
  SimLinks links = this->links(Links::reliable);
  int delayed = 0;
  for (int i = 0; i < many; ++i) {
    const Time departure(i * 100ms);
    const Arrival arrival = links.send(link(0, 1), departure);
    ASSERT_TRUE(arrival.first);
    ASSERT_FALSE(arrival.second);
    ASSERT_GE(*arrival.first, departure + 1ms);
    delayed += *arrival.first > departure + 1ms ? 1 : 0;
  }
  EXPECT_NEAR(delayed, 0.5 * many, 5 * std::sqrt(0.25 * many));
}

// How many messages arrive before one that left earlier.
int overtakings(SimLinks& links, const Link& link) {
  int count = 0;
  Time latest{};
  for (int i = 0; i < many; ++i) {
    const Arrival arrival = links.send(link, Time(i * 1ms));
    if (!arrival.first) continue;
    count += *arrival.first < latest ? 1 : 0;
    latest = std::max(latest, *arrival.first);
  }
  return count;
}

TEST_F(SimLinksTest, MessagesStayInOrderUnlessRawLinksReorder) {
  options_.loss = 0.2;
  options_.latency = parse_latency("1ms..20ms");
  for (const bool reorder : {false, true}) {
    options_.reorder = reorder;
    SimLinks reliable = links(Links::reliable);
    SimLinks raw = links(Links::raw);
    EXPECT_EQ(overtakings(reliable, link(0, 1)), 0);
    EXPECT_EQ(overtakings(raw, link(0, 1)) > 0, reorder);
  }
}

TEST_F(SimLinksTest, UniformLatenciesFillTheirRange) {
  options_.latency = parse_latency("2ms..6ms");
  options_.reorder = true;
  SimLinks links = this->links(Links::raw);
  double sum = 0;
  Duration least = Duration::max(), most{};
  for (int i = 0; i < many; ++i) {
    const Duration latency = *links.send(link(0, 1), Time(1s)).first - Time(1s);
    least = std::min(least, latency);
    most = std::max(most, latency);
    sum += std::chrono::duration<double, std::milli>(latency).count();
  }
  EXPECT_GE(least, 2ms);
  EXPECT_LE(most, 6ms);
  EXPECT_NEAR(sum / many, 4, 5 * 4 / std::sqrt(12.0 * many));
}

TEST_F(SimLinksTest, ExponentialLatenciesHaveTheirMean) {
  options_.latency = parse_latency("1ms+exp:2ms");
  options_.reorder = true;
  SimLinks links = this->links(Links::raw);
  double sum = 0;
  for (int i = 0; i < many; ++i) {
    const Duration latency = *links.send(link(0, 1), Time(1s)).first - Time(1s);
    ASSERT_GE(latency, 1ms);
    sum += std::chrono::duration<double, std::milli>(latency).count();
  }
  EXPECT_NEAR(sum / many, 3, 5 * 2 / std::sqrt(double{many}));
}

TEST_F(SimLinksTest, APartitionCutsOnlyWhatCrossesItsBorder) {
  options_.partitions = {parse_partition_fault("2..3@10s..20s")};
  SimLinks raw = links(Links::raw);
  EXPECT_TRUE(raw.send(link(1, 2), Time(9s)).first) << "before";
  EXPECT_FALSE(raw.send(link(1, 2), Time(10s)).first);
  EXPECT_FALSE(raw.send(link(2, 1), Time(15s)).first);
  EXPECT_TRUE(raw.send(link(2, 3), Time(15s)).first) << "both inside";
  EXPECT_TRUE(raw.send(link(0, 1), Time(15s)).first) << "both outside";
  EXPECT_TRUE(raw.send(link(1, 2), Time(20s)).first) << "healed";
}

TEST_F(SimLinksTest, ReliableLinksWaitUntilAllPartitionsHaveHealed) {
  options_.partitions = {parse_partition_fault("2..3@20s..30s"), parse_partition_fault("0..1@10s..20s")};
  SimLinks reliable = links(Links::reliable);
  EXPECT_EQ(reliable.send(link(1, 2), Time(15s)).first, Time(30s + 1ms)) << "one heals as the other begins";
  options_.loss = 0.5;
  SimLinks lossy = links(Links::reliable);
  for (int i = 0; i < 1000; ++i) ASSERT_GE(*lossy.send(link(2, 1), Time(9999ms)).first, Time(10s));
}

TEST_F(SimLinksTest, ALinkMayHaveALatencyOfItsOwnInBothDirections) {
  options_.links = {{1, 2, parse_latency("50ms")}};
  SimLinks links = this->links(Links::reliable);
  EXPECT_EQ(links.send(link(1, 2), Time(1s)).first, Time(1s + 50ms));
  EXPECT_EQ(links.send(link(2, 1), Time(1s)).first, Time(1s + 50ms));
  EXPECT_EQ(links.send(link(0, 1), Time(1s)).first, Time(1s + 1ms));
}

TEST_F(SimLinksTest, WhatHappensOnALinkDependsOnTheSeedAndThatLinkAlone) {
  options_.loss = 0.5;
  options_.latency = parse_latency("1ms..20ms");
  SimLinks alone = links(Links::raw, 7), busy = links(Links::raw, 7), other_seed = links(Links::raw, 8);
  int differing = 0;
  for (int i = 0; i < 1000; ++i) {
    const Time departure(i * 1s);
    busy.send(link(0, 1), departure);
    busy.send(link(2, 1), departure);
    const Arrival arrival = alone.send(link(1, 2), departure);
    ASSERT_EQ(busy.send(link(1, 2), departure).first, arrival.first);
    differing += other_seed.send(link(1, 2), departure).first != arrival.first ? 1 : 0;
  }
  EXPECT_GT(differing, 500);
}

// Otherwise a node would take the last messages of a neighbour that ended for lost.
TEST_F(SimLinksTest, AGoodbyeIsNeverLostAndOvertakesNothing) {
  options_.loss = 0.5;
  options_.duplicate = 0.5;
  options_.latency = parse_latency("1ms+exp:20ms");
  for (const bool reorder : {false, true}) {
    options_.reorder = reorder;
    for (const Links mode : {Links::reliable, Links::raw}) {
      SimLinks links = this->links(mode);
      for (int i = 0; i < 1000; ++i) {
        const Time departure(i * 1s);
        const Arrival message = links.send(link(0, 1), departure);
        const Time goodbye = links.send_reliably(link(0, 1), departure);
        ASSERT_GE(goodbye, message.first.value_or(goodbye));
        ASSERT_GE(goodbye, message.second.value_or(goodbye));
      }
    }
  }
}

}  // namespace
}  // namespace choir
