#include "choir/cli/failures.h"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "choir/base/error.h"

namespace choir::cli {

// In one piece, so that the sentences of several processes do not mix.
void complain(const std::string& sentence) {
  std::fputs(fmt::format("choir: {}\n", sentence).c_str(), stderr);
  std::fflush(stderr);
}

void report_failures(ProcessGroup& processes, Session& session, const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    const Error error = current_error();
    session.exit_code = exit_code_of(error);
    if (processes.failed_together()) {
      // Before the engine ends: once a process has left with an exit code, mpirun ends the others.
      if (processes.speaks()) complain(error.what());
      return;
    }
    complain(error.what());
    // The others know nothing of it and would wait for us for ever.
    if (processes.engine().name() == "mpi") std::_Exit(session.exit_code);
  }
}

}  // namespace choir::cli
