#include "choir/runtime/sim/trace.h"

#include <fmt/format.h>

#include "choir/base/word_of.h"

namespace choir {
namespace {

constexpr std::string_view trace_words[] = {"start",   "join",    "send",   "lose",  "repeat",
                                            "deliver", "discard", "expire", "crash", "end"};

std::string_view to_string(TraceType type) { return word_of<TraceType::end>(type, trace_words); }

}  // namespace

std::string to_string(const TraceEvent& event) {
  const double seconds = std::chrono::duration<double>(event.time.time_since_epoch()).count();
  if (event.peer < 0) return fmt::format("{:.9f} {} {}", seconds, to_string(event.type), event.node);
  return fmt::format("{:.9f} {} {} -> {} {} channel {} round {}, {} bytes", seconds, to_string(event.type),
                     event.node, event.peer, to_string(event.kind), event.channel & ~reliable_mark,
                     event.round, event.bytes);
}

}  // namespace choir
