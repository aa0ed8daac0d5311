#include "choir/cli/launcher.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include "choir/base/error.h"
#include "choir/base/parallel.h"
#include "choir/base/text.h"
#include "choir/run/config.h"
#include "choir/runtime/engines.h"

namespace choir::cli {
namespace fs = std::filesystem;
namespace {

// A rank for every node if their files say {rank}, otherwise what the machine can run at a time.
Index processes_for(const Settings& settings, Index cores) {
  if (settings.data.nodes < 1) return cores;
  const bool by_rank = settings.data.data.find("{rank}") != std::string::npos;
  return by_rank ? settings.data.nodes : std::min(settings.data.nodes, cores);
}

}  // namespace

MpiLauncher find_mpi_launcher() {
  // Open MPI, PMIx (srun), PMI (MPICH, srun), MVAPICH. Not SLURM_PROCID: batch scripts have it, too.
  struct Variables {
    const char* rank;
    const char* size;
  };
  constexpr Variables launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                     {"PMIX_RANK", "SLURM_NTASKS"},
                                     {"PMI_RANK", "PMI_SIZE"},
                                     {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"}};
  for (const auto& [rank, size] : launchers) {
    const char* own = std::getenv(rank);
    if (own == nullptr) continue;
    const char* all = std::getenv(size);
    return {.found = true,
            .rank = static_cast<Index>(parse_integer(own).value_or(0)),
            .processes = static_cast<Index>(all == nullptr ? 1 : parse_integer(all).value_or(1))};
  }
  return {};
}

bool speaks_at_first(const Settings& settings) {
  return settings.engine.engine != "mpi" || find_mpi_launcher().rank == 0;
}

void require_launcher(const Settings& settings, const std::vector<std::string>& arguments) {
  const MpiLauncher launcher = find_mpi_launcher();
  const bool wants_mpi = settings.engine.engine == "mpi";
  if (!wants_mpi && launcher.found && launcher.processes > 1) {
    fail(ErrorCategory::InvalidArgument,
         "mpirun started {} processes, but --engine is {}: each of them would do the whole job; use --engine "
         "mpi, or start choir "
         "without mpirun",
         launcher.processes, settings.engine.engine);
  }
  const std::vector<std::string> engines = engine_names();
  const bool built_in = std::find(engines.begin(), engines.end(), "mpi") != engines.end();
  if (!wants_mpi || launcher.found || !built_in) return;
  const Index cores = physical_cores();
  const MpirunOptions mpirun{
      .processes = processes_for(settings, cores), .cores = cores, .root = geteuid() == 0};
  fail(ErrorCategory::InvalidArgument, "--engine mpi runs under mpirun; start it as: {}",
       mpirun_line(program_path(), arguments, mpirun));
}

std::string mpirun_line(const std::string& program, std::span<const std::string> arguments,
                        const MpirunOptions& options) {
  std::string line = fmt::format("mpirun -n {}", options.processes);
  if (options.processes > options.cores) line += " --oversubscribe";
  if (options.root) line += " --allow-run-as-root";
  line += " " + quoted_for_shell(program);
  for (const std::string& argument : arguments) line += " " + quoted_for_shell(argument);
  return line;
}

Index physical_cores() {
  std::set<std::string> cores;  // each by the list of its hardware threads
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/sys/devices/system/cpu", error)) {
    std::ifstream file(entry.path() / "topology/thread_siblings_list");
    if (std::string threads; std::getline(file, threads)) cores.insert(threads);
  }
  const auto threads = static_cast<Index>(hardware_threads());
  return cores.empty() ? threads : std::min(threads, static_cast<Index>(cores.size()));
}

std::string program_path() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error);
  return error ? "choir" : path.string();
}

}  // namespace choir::cli
