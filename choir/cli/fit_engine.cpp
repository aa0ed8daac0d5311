#include "choir/cli/fit_engine.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include <unistd.h>

#include "choir/base/error.h"
#include "choir/cli/complaint.h"
#include "choir/cli/launcher.h"
#include "choir/runtime/engines.h"

namespace choir::cli {
namespace {

void refuse_foreign_sim_options(const FitOptions& options) {
  const std::string said = options.sim.first_said();
  if (options.engine == "sim" || said.empty()) return;
  fail(ErrorCategory::InvalidArgument,
       "{} is for simulated networks; say --engine sim as well, or leave it out", said);
}

void refuse_other_engines(const std::string& method, const std::string& engine) {
  if (engine == "local") return;
  fail(ErrorCategory::InvalidArgument, "{} has no network, so it runs with --engine local alone, not with {}",
       method, engine);
}

bool is_built_in(const std::string& engine) {
  const std::vector<std::string> names = engine_names();
  return std::find(names.begin(), names.end(), engine) != names.end();
}

// A rank for every node if their files say {rank}, otherwise what the machine can run at a time.
Index processes_for(const FitOptions& options, Index cores) {
  if (options.nodes < 1) return cores;
  const bool by_rank = options.data.find("{rank}") != std::string::npos;
  return by_rank ? options.nodes : std::min(options.nodes, cores);
}

void require_mpirun(const FitOptions& options, const Session& session) {
  if (find_mpi_launcher().found) return;
  const Index cores = physical_cores();
  const MpirunOptions mpirun{
      .processes = processes_for(options, cores), .cores = cores, .root = geteuid() == 0};
  fail(ErrorCategory::InvalidArgument, "--engine mpi runs under mpirun; start it as: {}",
       mpirun_line(program_path(), session.arguments, mpirun));
}

std::function<void(const TraceEvent&)> trace_to(const std::string& path) {
  if (path.empty()) return {};
  auto file = std::make_shared<std::ofstream>(path);
  if (!*file) fail(ErrorCategory::Io, "cannot write the trace {}; is there such a folder?", path);
  return [file, path](const TraceEvent& event) {
    // Flushed line by line: the trace matters most when the run does not end, and a full disk is found at
    // once.
    *file << to_string(event) << std::endl;
    if (!*file) fail(ErrorCategory::Io, "cannot write the trace {}; is the disk full?", path);
  };
}

std::unique_ptr<Engine> start_engine(const FitOptions& options, const Session& session) {
  refuse_foreign_sim_options(options);
  if (options.engine == "mpi" && is_built_in("mpi")) require_mpirun(options, session);
  EngineOptions engine;
  engine.threads = options.threads;
  engine.sim = options.sim.options();
  engine.sim.trace = trace_to(options.sim.trace);
  engine.last_words = [&session](const std::string& sentence) {
    complain(sentence);
    std::error_code ignored;
    if (!session.unfinished.empty()) std::filesystem::remove_all(session.unfinished, ignored);
  };
  return make_engine(options.engine, engine);
}

}  // namespace

void run_on_engine(const FitOptions& options, Session& session,
                   const std::function<void(ProcessGroup&)>& work) {
  const std::unique_ptr<Engine> engine = start_engine(options, session);
  ProcessGroup processes(*engine);
  try {
    work(processes);
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
    if (options.engine == "mpi") std::_Exit(session.exit_code);
  }
}

void fit_on_engine(CLI::App& command, FitOptions& options, Session& session, Network network,
                   const std::function<void(ProcessGroup&)>& fit) {
  complete_options(command, options);
  if (network == Network::none) refuse_other_engines(command.get_name(), options.engine);
  run_on_engine(options, session, fit);
}

}  // namespace choir::cli
