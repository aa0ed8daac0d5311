// All nodes in this process, on a fixed number of threads, in real time. The default.
//
//   LocalEngine engine;
//   const RunReport report = engine.run(graph, contract, program, options);
//
// A node is a coroutine, not a thread: ten thousand of them are fine. Synchronous programs give the same bits
// for any number of threads. A neighbour in the same process cannot vanish, so the deadline of a wait for
// certain neighbours passes only while no node can run: slow is not lost. If nothing can happen any more,
// that is said at once.
#pragma once

#include "choir/runtime/engine.h"

namespace choir {

class LocalEngine : public Engine {
 public:
  std::string_view name() const override { return "local"; }
  RunReport run(const Graph& graph, const Contract& contract, const Program& program,
                const RunOptions& options) override;
};

}  // namespace choir
