#include "choir/run/start_engine.h"

#include <fstream>

#include "choir/base/error.h"
#include "choir/runtime/engines.h"

namespace choir {
namespace {

// What a file repeats of a calm network is no simulation.
void refuse_foreign_sim_options(const Settings& settings) {
  if (settings.engine.engine == "sim") return;
  OptionTable table;
  add_sim_rows(table);
  const Settings calm;
  for (const OptionRow& row : table.rows()) {
    if (row.values(settings) == row.values(calm)) continue;
    fail(ErrorCategory::InvalidArgument,
         "--{} is for simulated networks; use it with --engine sim, or omit it", row.name);
  }
}

std::function<void(const TraceEvent&)> trace_to(const std::string& path) {
  if (path.empty()) return {};
  auto file = std::make_shared<std::ofstream>(path);
  if (!*file) fail(ErrorCategory::Io, "cannot write the trace {}; check that its folder exists", path);
  return [file, path](const TraceEvent& event) {
    // Flushed line by line: the trace matters most when the run does not end, and a full disk is found at
    // once.
    *file << to_string(event) << std::endl;
    if (!*file) fail(ErrorCategory::Io, "cannot write the trace {}; check that the disk is not full", path);
  };
}

}  // namespace

std::unique_ptr<Engine> start_engine(const Settings& settings,
                                     std::function<void(const std::string& sentence)> last_words) {
  refuse_foreign_sim_options(settings);
  EngineOptions options;
  options.sim = settings.sim.options();
  options.sim.trace = trace_to(settings.sim.trace);
  options.last_words = std::move(last_words);
  return make_engine(settings.engine.engine, options);
}

}  // namespace choir
