// The program `choir`. Nothing is computed here: commands parse arguments, call the library and print.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include "choir/cli/command.h"
#include "choir/cli/failures.h"
#include "choir/cli/help.h"
#include "choir/cli/launcher.h"
#include "choir/cli/split_arguments.h"
#include "choir/linalg/blas.h"
#include "choir/linalg/blas_core.h"
#include "choir/run/version.h"

namespace choir::cli {
namespace {

// Of several processes that all meet the same bad option, the first one says so.
bool speaks_for_all() {
  const MpiLauncher launcher = find_mpi_launcher();
  return !launcher.found || launcher.rank == 0;
}

// Once a process has left with an exit code, mpirun ends the others: the first one might not get its word in.
// It ends this one by its own exit.
void let_the_first_speak() {
  std::signal(SIGTERM, SIG_DFL);
  std::this_thread::sleep_for(std::chrono::seconds(5));
}

void print(const std::string& text) { std::puts(text.c_str()); }

int run(Session& session) {
  const std::vector<std::string>& words = session.arguments;
  if (words.empty()) return print(overview(terminal_width())), ok;
  if (words.size() == 1 && words.front() == "--version") return print("choir " + version()), ok;
  const Parsed parsed = split_arguments(words);
  if (parsed.help) return print(help_text(parsed.path, parsed.help_all, terminal_width())), ok;
  if (!parsed.command().run) {
    fail(ErrorCategory::InvalidArgument, "{} needs a {}; see {} --help", full_name(parsed.path),
         parsed.command().commands_are, full_name(parsed.path));
  }
  session.console = parsed.console;
  parsed.command().run(parsed.call, session);
  return session.exit_code;
}

// Kernel matrices of a few megabytes come and go by the thousands. The allocator's habit of giving each back
// to the system at once makes every one of them fault its pages in again: a fifth of the time of a fit of 20
// nodes.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int largest = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, largest);
  mallopt(M_TRIM_THRESHOLD, largest);
#endif
}

// Where OpenBLAS took kernels that are older than the processor (linalg/blas_core.h). Does not return if it
// starts the program again. A user's own setting is left alone.
void restart_with_fast_blas(char** arguments) {
  constexpr const char* variable = "OPENBLAS_CORETYPE";
  if (std::getenv(variable) != nullptr) return;
  const std::string core(better_blas_core(blas_core(), vector_units()));
  if (core.empty() || setenv(variable, core.c_str(), 1) != 0) return;
  execv("/proc/self/exe", arguments);  // returns only if it failed: then slowly
}

}  // namespace
}  // namespace choir::cli

int main(int argc, char** argv) {
  using namespace choir;
  cli::restart_with_fast_blas(argv);
  cli::keep_freed_memory();
  cli::Session session;
  session.arguments.assign(argv + 1, argv + argc);
  try {
    cli::catch_interrupts();
    const SingleThreadedBlas scope;  // work is split above BLAS, never inside
    return cli::run(session);
  } catch (...) {
    const Error error = current_error();
    if (cli::speaks_for_all()) {
      cli::complain(error.what());
    } else {
      cli::let_the_first_speak();
    }
    return cli::exit_code_of(error);
  }
}
