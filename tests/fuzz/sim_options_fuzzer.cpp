// Any text as an option of the simulator: refused as an invalid argument, or something that describe() writes
// in words with which the parser gives the same again.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "choir/base/error.h"
#include "choir/runtime/sim/sim_options.h"

namespace {

using namespace choir;

bool same(const Latency& a, const Latency& b) { return a == b; }
bool same(const NodeTime& a, const NodeTime& b) { return a.node == b.node && a.at == b.at; }
bool same(const PartitionFault& a, const PartitionFault& b) {
  return a.first == b.first && a.last == b.last && a.from == b.from && a.to == b.to;
}
bool same(const SlowNode& a, const SlowNode& b) {
  return a.node == b.node && (a.factor == b.factor || (std::isnan(a.factor) && std::isnan(b.factor)));
}

std::string described(const Latency& latency) {
  SimOptions options;
  options.latency = latency;
  return describe(options);
}
std::string described(const NodeTime& crash) {
  SimOptions options;
  options.crashes = {crash};
  return describe(options);
}
std::string described(const PartitionFault& partition) {
  SimOptions options;
  options.partitions = {partition};
  return describe(options);
}
std::string described(const SlowNode& slow) {
  SimOptions options;
  options.slow = {slow};
  return describe(options);
}

template <class Value>
void check(Value (*parse)(std::string_view), std::string_view text) {
  try {
    const Value value = parse(text);
    const std::string words = described(value);
    if (words.empty()) return;  // the default latency needs none
    if (!same(parse(std::string_view(words).substr(words.find(' ') + 1)), value)) std::abort();
  } catch (const Error& error) {
    if (error.category() != ErrorCategory::InvalidArgument) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(parse_latency, text);
  check(parse_node_time, text);
  check(parse_partition_fault, text);
  check(parse_slow_node, text);
  return 0;
}
