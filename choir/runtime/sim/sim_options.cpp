#include "choir/runtime/sim/sim_options.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/graph/graph.h"

namespace choir {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view what, std::string_view example) {
  fail(ErrorCategory::InvalidArgument, "'{}' is not a valid {}; write {}", text, what, example);
}

// "left SEPARATOR right"; both empty if the separator is missing or an end is.
struct Halves {
  std::string_view left;
  std::string_view right;
  bool found() const { return !left.empty() && !right.empty(); }
};

Halves halve(std::string_view text, std::string_view separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return {};
  return {trim(text.substr(0, at)), trim(text.substr(at + separator.size()))};
}

std::optional<NodeId> parse_node(std::string_view text) {
  const auto value = parse_integer(text);
  if (!value || *value < 0 || *value > std::numeric_limits<NodeId>::max()) return std::nullopt;
  return static_cast<NodeId>(*value);
}

void check_share(const char* name, double share) {
  if (!(share >= 0 && share < 1)) {
    fail(ErrorCategory::InvalidArgument, "the simulator's {} is {}; it must be at least 0 and less than 1",
         name, share);
  }
}

void check_node(NodeId node, const Graph& graph) {
  if (node < 0 || node >= graph.nodes()) {
    fail(ErrorCategory::InvalidArgument, "the simulator's options name node {}, but nodes are 0 to {}", node,
         graph.nodes() - 1);
  }
}

// Sums of times must stay within 64 bits of nanoseconds, which are 292 years.
constexpr Duration longest_wait = std::chrono::hours(24);
constexpr Duration end_of_time = std::chrono::hours(100 * 365 * 24);

void check_latency(const Latency& latency) {
  if (latency.low < Duration::zero() || latency.high < latency.low || latency.high > longest_wait) {
    throw Error(ErrorCategory::InvalidArgument,
                "a latency of the simulator must not be negative, end before it begins, or exceed 24h");
  }
}

void check_time(Duration at) {
  if (at < Duration::zero() || at > end_of_time) {
    throw Error(ErrorCategory::InvalidArgument,
                "a fault of the simulator must be at a time between 0s and 100 years");
  }
}

void check_joins(const std::vector<NodeTime>& joins) {
  std::vector<NodeId> nodes;
  for (const NodeTime& join : joins) nodes.push_back(join.node);
  std::sort(nodes.begin(), nodes.end());
  const auto twice = std::adjacent_find(nodes.begin(), nodes.end());
  if (twice == nodes.end()) return;
  fail(ErrorCategory::InvalidArgument,
       "the simulator's options let node {} join twice; a node can join only once", *twice);
}

// In the largest unit of which it is a whole number: so it parses to the same again.
std::string text_of(Duration duration) {
  static constexpr std::array<std::pair<Duration::rep, std::string_view>, 3> units = {
      {{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}}};
  for (const auto& [nanoseconds, unit] : units) {
    if (duration.count() % nanoseconds == 0) return fmt::format("{}{}", duration.count() / nanoseconds, unit);
  }
  return fmt::format("{}ns", duration.count());
}

std::string text_of(const Latency& latency) {
  if (latency.constant()) return text_of(latency.low);
  return latency.shape == Latency::Shape::uniform
             ? fmt::format("{}..{}", text_of(latency.low), text_of(latency.high))
             : fmt::format("{}+exp:{}", text_of(latency.low), text_of(latency.high - latency.low));
}

}  // namespace

void validate(const SimOptions& options, const Graph& graph) {
  check_share("loss", options.loss);
  check_share("duplicate", options.duplicate);
  check_latency(options.latency);
  if (options.step_time < Duration::zero() || options.step_time > longest_wait) {
    throw Error(ErrorCategory::InvalidArgument, "the simulator's step time must be between 0s and 24h");
  }
  for (const LinkLatency& link : options.links) {
    check_node(link.a, graph);
    check_node(link.b, graph);
    check_latency(link.latency);
    if (!graph.linked(link.a, link.b)) {
      fail(ErrorCategory::InvalidArgument,
           "the simulator's options name a link between nodes {} and {}, which are not linked", link.a,
           link.b);
    }
  }
  for (const auto* faults : {&options.crashes, &options.joins}) {
    for (const NodeTime& fault : *faults) {
      check_node(fault.node, graph);
      check_time(fault.at);
    }
  }
  check_joins(options.joins);
  for (const SlowNode& slow : options.slow) {
    check_node(slow.node, graph);
    if (!(slow.factor >= 1 && slow.factor <= 1e6)) {
      fail(ErrorCategory::InvalidArgument,
           "node {} cannot be {} times as slow; the factor must be 1 to 1000000", slow.node, slow.factor);
    }
  }
  for (const PartitionFault& partition : options.partitions) {
    check_node(partition.first, graph);
    check_node(partition.last, graph);
    check_time(partition.from);
    check_time(partition.to);
    if (partition.last < partition.first || partition.to < partition.from) {
      fail(ErrorCategory::InvalidArgument, "the partition of nodes {}..{} runs backwards", partition.first,
           partition.last);
    }
  }
}

Latency parse_latency(std::string_view text) {
  if (const Halves parts = halve(text, "+exp:"); parts.found()) {
    const Duration low = parse_duration(parts.left);
    const Duration mean = parse_duration(parts.right);
    if (mean > Duration::max() - low) refuse(text, "latency", "1ms+exp:2ms");
    if (mean == Duration::zero()) return {.low = low, .high = low};
    return {.low = low, .high = low + mean, .shape = Latency::Shape::exponential};
  }
  if (const Halves ends = halve(text, ".."); ends.found()) {
    const Latency latency{.low = parse_duration(ends.left), .high = parse_duration(ends.right)};
    if (latency.high < latency.low) refuse(text, "latency", "the smaller end first: 1ms..5ms");
    return latency;
  }
  const Duration constant = parse_duration(text);
  return {.low = constant, .high = constant};
}

NodeTime parse_node_time(std::string_view text) {
  const Halves parts = halve(text, "@");
  const auto node = parse_node(parts.left);
  if (!parts.found() || !node) refuse(text, "node and time", "3@10s");
  return {.node = *node, .at = parse_duration(parts.right)};
}

PartitionFault parse_partition_fault(std::string_view text) {
  const Halves parts = halve(text, "@");
  const Halves nodes = halve(parts.left, "..");
  const Halves times = halve(parts.right, "..");
  const auto first = parse_node(nodes.left);
  const auto last = parse_node(nodes.right);
  if (!nodes.found() || !times.found() || !first || !last) refuse(text, "partition", "2..5@10s..20s");
  return {
      .first = *first, .last = *last, .from = parse_duration(times.left), .to = parse_duration(times.right)};
}

SlowNode parse_slow_node(std::string_view text) {
  const Halves parts = halve(text, "x");
  const auto node = parse_node(parts.left);
  const auto factor = parse_number(parts.right);
  if (!parts.found() || !node || !factor) refuse(text, "slow node", "4x10");
  return {.node = *node, .factor = *factor};
}

std::string describe(const SimOptions& options) {
  std::vector<std::string> words;
  if (options.latency != Latency{}) words.push_back("--sim-latency " + text_of(options.latency));
  if (options.loss > 0) words.push_back(fmt::format("--sim-loss {}", options.loss));
  if (options.duplicate > 0) words.push_back(fmt::format("--sim-duplicate {}", options.duplicate));
  if (options.reorder) words.emplace_back("--sim-reorder");
  for (const NodeTime& crash : options.crashes) {
    words.push_back(fmt::format("--sim-crash {}@{}", crash.node, text_of(crash.at)));
  }
  for (const NodeTime& join : options.joins) {
    words.push_back(fmt::format("--sim-join {}@{}", join.node, text_of(join.at)));
  }
  for (const PartitionFault& cut : options.partitions) {
    words.push_back(fmt::format("--sim-partition {}..{}@{}..{}", cut.first, cut.last, text_of(cut.from),
                                text_of(cut.to)));
  }
  for (const SlowNode& slow : options.slow) {
    words.push_back(fmt::format("--sim-slow {}x{}", slow.node, slow.factor));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace choir
