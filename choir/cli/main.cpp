// The program `choir`. Nothing is computed here: commands parse arguments, call the library and print.
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include <fmt/format.h>

#include "choir/cli/commands.h"
#include "choir/linalg/blas.h"

namespace choir::cli {
namespace {

void complain(const std::string& sentence) {
  std::fputs(fmt::format("choir: {}\n", sentence).c_str(), stderr);
}

// The innermost command that was named, for its --help.
const CLI::App& deepest(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : deepest(*chosen.front());
}

std::string full_name(const CLI::App& app) {
  return app.get_parent() == nullptr ? "choir" : full_name(*app.get_parent()) + " " + app.get_name();
}

int run(int argc, char** argv) {
  CLI::App app("choir: kernel learning in unison, without a conductor", "choir");
  app.require_subcommand(1);
  Session session;
  add_data_commands(app, session);
  add_topology_command(app, session);
  add_fit_command(app, session);
  add_transform_command(app, session);
  add_score_command(app, session);
  add_inspect_command(app, session);
  add_version_command(app, session);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    complain(fmt::format("{}; see {} --help", error.what(), full_name(deepest(app))));
    return bad_input;
  }
  return session.exit_code;
}

}  // namespace
}  // namespace choir::cli

int main(int argc, char** argv) {
  using namespace choir;
  try {
    cli::catch_interrupts();
    const SingleThreadedBlas scope;  // work is split above BLAS, never inside
    return cli::run(argc, argv);
  } catch (const Error& error) {
    cli::complain(error.what());
    return cli::exit_code_of(error);
  } catch (const std::bad_alloc&) {
    cli::complain("out of memory; use fewer samples, landmarks (--n-landmarks) or --precision float32");
    return cli::bad_input;
  } catch (const std::exception& error) {
    cli::complain(fmt::format("unexpected: {}", error.what()));
    return cli::bad_input;
  }
}
