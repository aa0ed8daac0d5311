// The simulated network: how long messages take and what goes wrong. Everything random is drawn from the
// run's seed.
//
//   SimOptions network;
//   network.latency = parse_latency("1ms..5ms");
//   network.crashes.push_back(parse_node_time("3@10s"));
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "choir/base/deadline.h"
#include "choir/base/types.h"
#include "choir/runtime/sim/trace.h"

namespace choir {

class Graph;

struct Latency {
  enum class Shape : std::uint8_t { uniform, exponential };  // above low; high is the largest or the mean
  Duration low = std::chrono::milliseconds(1);
  Duration high = std::chrono::milliseconds(1);
  Shape shape = Shape::uniform;
  bool constant() const { return low == high; }
  friend bool operator==(const Latency&, const Latency&) = default;
};

struct LinkLatency {  // both directions of one link
  NodeId a = 0;
  NodeId b = 0;
  Latency latency;
};

struct NodeTime {
  NodeId node = 0;
  Duration at{};
};

struct PartitionFault {  // nodes first..last hear nobody else from `from` until `to`
  NodeId first = 0;
  NodeId last = 0;
  Duration from{};
  Duration to{};
};

struct SlowNode {  // its steps and its sleeps take `factor` times as long
  NodeId node = 0;
  double factor = 1;
};

struct SimOptions {
  Latency latency;
  std::vector<LinkLatency> links;  // exceptions from latency
  double loss = 0;                 // share of messages; on reliable links they are sent again, later
  double duplicate = 0;            // share of messages that arrive twice; raw links only
  bool reorder = false;            // messages may overtake each other; raw links only
  Duration step_time = std::chrono::microseconds(100);  // virtual time that one step of a node takes
  std::vector<NodeTime> crashes;
  std::vector<NodeTime> joins;  // nodes that start later
  std::vector<PartitionFault> partitions;
  std::vector<SlowNode> slow;
  std::function<void(const TraceEvent&)> trace;  // empty: none
};

// Throws Error(InvalidArgument) for probabilities outside [0, 1), unknown nodes, unlinked links, nodes that
// join twice, times that run backwards or beyond 100 years, latencies and steps of more than a day.
void validate(const SimOptions& options, const Graph& graph);

// "5ms", "1ms..5ms", "1ms+exp:2ms" (1 ms and an exponential part of mean 2 ms)
Latency parse_latency(std::string_view text);
NodeTime parse_node_time(std::string_view text);              // "3@10s"
PartitionFault parse_partition_fault(std::string_view text);  // "2..5@10s..20s"
SlowNode parse_slow_node(std::string_view text);              // "4x10"

// The options that --sim-... would be given to repeat these faults; empty without any.
std::string describe(const SimOptions& options);

}  // namespace choir
