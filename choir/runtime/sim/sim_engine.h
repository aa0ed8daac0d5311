// A network inside one thread, in virtual time: the same seed gives the same run, event by event, faults
// included.
//
//   SimEngine engine({.loss = 0.1, .crashes = {{.node = 3, .at = std::chrono::seconds(10)}}});
//   const RunReport report = engine.run(graph, contract, program, {.seed = 7});
//
// On reliable links faults only delay messages, as a transport that repeats them would; on raw links messages
// are lost, doubled and overtaken (Contract::links). A node that crashes is gone at that instant: its frames
// are destroyed, nobody is told, messages to it vanish.
#pragma once

#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_options.h"

namespace choir {

class SimEngine : public Engine {
 public:
  explicit SimEngine(SimOptions options = {}) : options_(std::move(options)) {}

  std::string_view name() const override { return "sim"; }
  RunReport run(const Graph& graph, const Contract& contract, const Program& program,
                const RunOptions& options) override;

 private:
  SimOptions options_;
};

}  // namespace choir
