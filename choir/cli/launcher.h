// Whether mpirun or the like started this process, and how it would be started that way.
//
//   if (!find_mpi_launcher().found) complain(mpirun_line(arguments, {.processes = 8, .cores = 8}));
#pragma once

#include <span>
#include <string>
#include <vector>

#include "choir/base/types.h"
#include "choir/run/settings.h"

namespace choir::cli {

struct MpiLauncher {
  bool found = false;
  Index rank = 0;       // of this process
  Index processes = 1;  // that were started together
};

// From the variables that launchers set for the processes they start.
MpiLauncher find_mpi_launcher();

struct MpirunOptions {
  Index processes = 1;
  Index cores = 1;    // mpirun wants to be told when processes outnumber them
  bool root = false;  // and when root really means it
};

// "mpirun -n 8 /usr/bin/choir fit local-kpca ...": the program and its arguments, quoted for a shell.
std::string mpirun_line(const std::string& program, std::span<const std::string> arguments,
                        const MpirunOptions& options);

// Throws Error(InvalidArgument) for the engine mpi without mpirun, with the line that starts it, and for
// mpirun without the engine: every process would do the whole job.
void require_launcher(const Settings& settings, const std::vector<std::string>& arguments);
// Whether this process prints, before the engine says so.
bool speaks_at_first(const Settings& settings);

// What mpirun counts: cores, not hardware threads.
Index physical_cores();
// Where this program's file is.
std::string program_path();

}  // namespace choir::cli
