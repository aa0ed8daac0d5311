#include "choir/runtime/sim/trace.h"

#include <fmt/format.h>

namespace choir {
namespace {

std::string_view to_string(TraceType type) {
  switch (type) {
    case TraceType::start:
      return "start";
    case TraceType::join:
      return "join";
    case TraceType::send:
      return "send";
    case TraceType::lose:
      return "lose";
    case TraceType::repeat:
      return "repeat";
    case TraceType::deliver:
      return "deliver";
    case TraceType::discard:
      return "discard";
    case TraceType::expire:
      return "expire";
    case TraceType::crash:
      return "crash";
    case TraceType::end:
      return "end";
  }
  return "unknown";
}

}  // namespace

std::string to_string(const TraceEvent& event) {
  const double seconds = std::chrono::duration<double>(event.time.time_since_epoch()).count();
  if (event.peer < 0) return fmt::format("{:.9f} {} {}", seconds, to_string(event.type), event.node);
  return fmt::format("{:.9f} {} {} -> {} {} channel {} round {}, {} bytes", seconds, to_string(event.type),
                     event.node, event.peer, to_string(event.kind), event.channel & ~reliable_mark,
                     event.round, event.bytes);
}

}  // namespace choir
