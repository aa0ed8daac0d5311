// The program `choir`. Nothing is computed here: commands parse arguments, call the library and print.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <malloc.h>

#include "choir/cli/commands.h"
#include "choir/cli/complaint.h"
#include "choir/cli/launcher.h"
#include "choir/linalg/blas.h"

namespace choir::cli {
namespace {

// The innermost command that was named, for its --help.
const CLI::App& deepest(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : deepest(*chosen.front());
}

std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? "choir" : full_name(*app.get_parent()) + " " + app.get_name();
}

// Of several processes that all meet the same bad option, the first one says so.
bool speaks_for_all(const std::vector<std::string>& arguments) {
  const bool mpi = std::any_of(arguments.begin(), arguments.end(), [](const std::string& argument) {
    return argument == "mpi" || argument == "--engine=mpi";
  });
  return !mpi || find_mpi_launcher().rank == 0;
}

// Once a process has left with an exit code, mpirun ends the others: the first one might not get its word in.
// It ends this one by its own exit.
void let_the_first_speak() {
  std::signal(SIGTERM, SIG_DFL);
  std::this_thread::sleep_for(std::chrono::seconds(5));
}

int run(int argc, char** argv, Session& session) {
  CLI::App app("choir: kernel learning in unison, without a conductor", "choir");
  app.require_subcommand(1);
  add_data_commands(app, session);
  add_topology_command(app, session);
  add_fit_command(app, session);
  add_transform_command(app, session);
  add_score_command(app, session);
  add_predict_command(app, session);
  add_report_command(app, session);
  add_inspect_command(app, session);
  add_version_command(app, session);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    fail(ErrorCategory::InvalidArgument, "{}; see {} --help", error.what(), full_name(deepest(app)));
  }
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

}  // namespace
}  // namespace choir::cli

int main(int argc, char** argv) {
  using namespace choir;
  cli::keep_freed_memory();
  cli::Session session;
  session.arguments.assign(argv + 1, argv + argc);
  try {
    cli::catch_interrupts();
    const SingleThreadedBlas scope;  // work is split above BLAS, never inside
    return cli::run(argc, argv, session);
  } catch (...) {
    const Error error = cli::current_error();
    if (cli::speaks_for_all(session.arguments)) {
      cli::complain(error.what());
    } else {
      cli::let_the_first_speak();
    }
    return cli::exit_code_of(error);
  }
}
