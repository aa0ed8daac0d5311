// An engine by its name: what programs with an --engine option use.
//
//   const std::unique_ptr<Engine> engine = make_engine("local");
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_options.h"

namespace choir {

struct EngineOptions {
  SimOptions sim = {};
  // mpi: called before the whole job is ended while this process still computes; the library itself never
  // prints. May come from a thread of the engine's.
  std::function<void(const std::string& sentence)> last_words = {};
};

// "local", "sim", and "mpi" if choir was built with MPI.
std::vector<std::string> engine_names();

// Throws Error(InvalidArgument) for a name that does not exist, Error(Unavailable) for one that was not built
// in.
std::unique_ptr<Engine> make_engine(std::string_view name, const EngineOptions& options = {});

}  // namespace choir
