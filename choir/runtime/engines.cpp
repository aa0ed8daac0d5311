#include "choir/runtime/engines.h"

#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/runtime/local/local_engine.h"
#include "choir/runtime/sim/sim_engine.h"
#ifdef CHOIR_WITH_MPI
#include "choir/runtime/mpi/mpi_engine.h"
#endif

namespace choir {

std::vector<std::string> engine_names() {
  return {
      "local",
      "sim",
#ifdef CHOIR_WITH_MPI
      "mpi",
#endif
  };
}

std::unique_ptr<Engine> make_engine(std::string_view name, const EngineOptions& options) {
  if (name == "local") return std::make_unique<LocalEngine>();
  if (name == "sim") return std::make_unique<SimEngine>(options.sim);
#ifdef CHOIR_WITH_MPI
  if (name == "mpi") return std::make_unique<MpiEngine>(MpiOptions{.last_words = options.last_words});
#else
  if (name == "mpi") {
    throw Error(ErrorCategory::Unavailable,
                "this choir was built without MPI; install libopenmpi-dev and build it again");
  }
#endif
  fail(ErrorCategory::InvalidArgument, "there is no engine '{}'; there are {}", name,
       fmt::join(engine_names(), ", "));
}

}  // namespace choir
