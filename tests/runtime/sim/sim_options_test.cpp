#include "choir/runtime/sim/sim_options.h"

#include "graph/expect_error.h"
#include <rapidcheck.h>

#include "choir/graph/regular.h"

namespace choir {
namespace {

using testing::expect_error;
using namespace std::chrono_literals;

TEST(SimOptions, LatenciesAreParsed) {
  EXPECT_EQ(parse_latency("5ms"), (Latency{5ms, 5ms, Latency::Shape::uniform}));
  EXPECT_EQ(parse_latency("1ms..5ms"), (Latency{1ms, 5ms, Latency::Shape::uniform}));
  EXPECT_EQ(parse_latency("1ms+exp:2ms"), (Latency{1ms, 3ms, Latency::Shape::exponential}));
  EXPECT_EQ(parse_latency("0s"), (Latency{0ms, 0ms, Latency::Shape::uniform}));
  EXPECT_EQ(parse_latency("1ms+exp:0s"), parse_latency("1ms")) << "nothing is left to draw";
}

TEST(SimOptions, FaultsAreParsed) {
  EXPECT_EQ(parse_node_time("3@10s").node, 3);
  EXPECT_EQ(parse_node_time("3@10s").at, Duration(10s));
  const PartitionFault partition = parse_partition_fault("2..5@10s..1min");
  EXPECT_EQ(partition.first, 2);
  EXPECT_EQ(partition.last, 5);
  EXPECT_EQ(partition.from, Duration(10s));
  EXPECT_EQ(partition.to, Duration(1min));
  EXPECT_EQ(parse_slow_node("4x10.5").node, 4);
  EXPECT_EQ(parse_slow_node("4x10.5").factor, 10.5);
}

template <class Parse>
void expect_all_refused(Parse parse, std::initializer_list<const char*> texts) {
  for (const char* text : texts) {
    SCOPED_TRACE(text);
    expect_error(ErrorCategory::InvalidArgument, {"write"}, [&] { parse(text); });
  }
}

TEST(SimOptions, EverythingElseIsRefusedWithAnExample) {
  expect_all_refused(parse_latency,
                     {"", "5", "ms", "-1ms", "..", "1ms..", "..5ms", "5ms..1ms", "1ms..2ms..3ms", "nan ms",
                      "1ms+exp:", "+exp:1ms", "1ms+exp:x", "9e18ns+exp:9e18ns", "1e300s"});
  expect_all_refused(parse_node_time,
                     {"", "3", "@", "3@", "@10s", "x@10s", "-1@10s", "3@10", "2147483648@1s", "3.5@1s"});
  expect_all_refused(parse_partition_fault, {"", "2..5", "2..5@", "@1s..2s", "2@1s..2s", "2..5@1s",
                                             "2..@1s..2s", "a..5@1s..2s", "2..5@x..2s"});
  expect_all_refused(parse_slow_node, {"", "4", "x", "4x", "x10", "4xy", "-4x10", "4x10x"});
}

// The words behind the first blank are what the option takes.
std::string argument_of(const SimOptions& options) {
  const std::string words = describe(options);
  return words.substr(words.find(' ') + 1);
}

Duration any_duration() {
  // Whole nanoseconds of every magnitude; beyond 2^53 of them a parsed duration is a rounded one.
  return Duration(*rc::gen::inRange<Duration::rep>(0, std::int64_t{1} << *rc::gen::inRange(1, 53)));
}

TEST(SimOptions, WhatIsDescribedParsesToTheSame) {
  EXPECT_TRUE(rc::check([] {
    SimOptions latency, crash, cut, slow;
    latency.latency.low = any_duration();
    latency.latency.high = latency.latency.low + any_duration() + Duration(1);
    latency.latency.shape = *rc::gen::element(Latency::Shape::uniform, Latency::Shape::exponential);
    RC_ASSERT(parse_latency(argument_of(latency)) == latency.latency);

    crash.crashes = {{*rc::gen::inRange(0, 1000), any_duration()}};
    const NodeTime same_crash = parse_node_time(argument_of(crash));
    RC_ASSERT(same_crash.node == crash.crashes[0].node && same_crash.at == crash.crashes[0].at);

    cut.partitions = {{1, *rc::gen::inRange(1, 1000), any_duration(), any_duration()}};
    const PartitionFault same_cut = parse_partition_fault(argument_of(cut));
    RC_ASSERT(same_cut.last == cut.partitions[0].last && same_cut.from == cut.partitions[0].from &&
              same_cut.to == cut.partitions[0].to);

    slow.slow = {{2, *rc::gen::arbitrary<double>()}};
    RC_ASSERT(parse_slow_node(argument_of(slow)).factor == slow.slow[0].factor);
  }));
}

TEST(SimOptions, EveryNanosecondSurvivesBeingDescribed) {
  for (Duration::rep nanoseconds = 0; nanoseconds < 5000; ++nanoseconds) {
    SimOptions options;
    options.crashes = {{1, Duration(nanoseconds)}};
    ASSERT_EQ(parse_node_time(argument_of(options)).at, Duration(nanoseconds));
  }
}

TEST(SimOptions, AreDescribedAsTheCommandLineThatRepeatsThem) {
  SimOptions options;
  EXPECT_EQ(describe(options), "");
  options.latency = parse_latency("1ms..5ms");
  options.loss = 0.1;
  options.duplicate = 0.05;
  options.reorder = true;
  options.crashes = {parse_node_time("3@10s")};
  options.joins = {parse_node_time("1@1500us")};
  options.partitions = {parse_partition_fault("2..5@10s..1min")};
  options.slow = {parse_slow_node("4x10")};
  EXPECT_EQ(describe(options),
            "--sim-latency 1ms..5ms --sim-loss 0.1 --sim-duplicate 0.05 --sim-reorder --sim-crash 3@10s "
            "--sim-join 1@1500us --sim-partition 2..5@10s..60s --sim-slow 4x10");
}

template <class Change>
void expect_invalid(std::initializer_list<const char*> words, Change change) {
  SimOptions options;
  change(options);
  expect_error(ErrorCategory::InvalidArgument, words, [&] { validate(options, line_graph(4)); });
}

TEST(SimOptions, WhatDoesNotFitTheNetworkIsRefused) {
  validate(SimOptions(), line_graph(4));
  for (const double share : {-0.1, 1.0, std::numeric_limits<double>::quiet_NaN()}) {
    expect_invalid({"loss", "less than 1"}, [&](SimOptions& o) { o.loss = share; });
    expect_invalid({"duplicate", "less than 1"}, [&](SimOptions& o) { o.duplicate = share; });
  }
  for (const NodeId node : {-1, 4}) {
    expect_invalid({"nodes are 0 to 3"}, [&](SimOptions& o) { o.crashes = {{node, 1s}}; });
    expect_invalid({"nodes are 0 to 3"}, [&](SimOptions& o) { o.joins = {{node, 1s}}; });
    expect_invalid({"nodes are 0 to 3"}, [&](SimOptions& o) { o.slow = {{node, 2}}; });
    expect_invalid({"nodes are 0 to 3"}, [&](SimOptions& o) { o.partitions = {{0, node, 1s, 2s}}; });
    expect_invalid({"nodes are 0 to 3"}, [&](SimOptions& o) { o.links = {{0, node, Latency()}}; });
  }
  expect_invalid({"nodes 0 and 2", "not linked"}, [](SimOptions& o) { o.links = {{0, 2, Latency()}}; });
  expect_invalid({"times as slow"}, [](SimOptions& o) { o.slow = {{1, 0.5}}; });
  expect_invalid({"times as slow"}, [](SimOptions& o) { o.slow = {{1, std::nan("")}}; });
  expect_invalid({"backwards"}, [](SimOptions& o) { o.partitions = {{2, 1, 1s, 2s}}; });
  expect_invalid({"backwards"}, [](SimOptions& o) { o.partitions = {{1, 2, 2s, 1s}}; });
  expect_invalid({"step time"}, [](SimOptions& o) { o.step_time = -1ns; });
  expect_invalid({"latency"}, [](SimOptions& o) { o.latency.low = -1ns; });
  expect_invalid({"latency"}, [](SimOptions& o) { o.latency.high = 0ns; });
}

// Sums of times must not leave what 64 bits of nanoseconds hold.
TEST(SimOptions, TimesWithoutMeasureAreRefused) {
  constexpr Duration forever = Duration::max();
  expect_invalid({"latency"}, [&](SimOptions& o) { o.latency.high = forever; });
  expect_invalid({"step time"}, [&](SimOptions& o) { o.step_time = forever; });
  expect_invalid({"100 years"}, [&](SimOptions& o) { o.crashes = {{1, forever}}; });
  expect_invalid({"100 years"}, [&](SimOptions& o) { o.joins = {{1, -1s}}; });
  expect_invalid({"100 years"}, [&](SimOptions& o) { o.partitions = {{1, 1, 1s, forever}}; });
}

TEST(SimOptions, ANodeJoinsOnce) {
  expect_invalid({"node 2 join twice"}, [](SimOptions& o) { o.joins = {{2, 1s}, {1, 1s}, {2, 3s}}; });
}

}  // namespace
}  // namespace choir
