// Any text as a topology: a spec that prints and parses back, and a graph of its size, or one choir::Error.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "choir/base/error.h"
#include "choir/graph/topology.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const choir::TopologySpec spec = choir::parse_topology_spec(text);
    const choir::TopologySpec again = choir::parse_topology_spec(choir::to_string(spec));
    if (again.kind != spec.kind || again.number != spec.number || again.path != spec.path) std::abort();
    if (spec.kind == choir::TopologyKind::file) return 0;  // opens whatever path the fuzzer invents
    if (choir::make_topology(spec, 12, size).nodes() != 12) std::abort();
  } catch (const choir::Error&) {
  }
  return 0;
}
