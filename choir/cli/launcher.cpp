#include "choir/cli/launcher.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>

#include "choir/base/parallel.h"
#include "choir/base/text.h"

namespace choir::cli {
namespace fs = std::filesystem;

MpiLauncher find_mpi_launcher() {
  // Open MPI, PMIx (srun), PMI (MPICH, srun), MVAPICH. Not SLURM_PROCID: batch scripts have it, too.
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK"}) {
    const char* text = std::getenv(name);
    if (text == nullptr) continue;
    return {.found = true, .rank = static_cast<Index>(parse_integer(text).value_or(0))};
  }
  return {};
}

std::string quoted_for_shell(const std::string& word) {
  constexpr std::string_view harmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(harmless) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char letter : word) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
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
