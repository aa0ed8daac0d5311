// Runs another program and waits for it, without a shell.
//
//   const ProcessResult result = run_process({.program = "npm", .arguments = {"--version"}});
//   if (result.status != 0) ...
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "choir/base/deadline.h"
#include "choir/base/progress.h"

namespace choir::cli {

struct ProcessRequest {
  std::string program = {};  // searched like a shell does unless it has a slash
  std::vector<std::string> arguments = {};
  std::filesystem::path folder = ".";  // where it runs
  Deadline deadline = Deadline::never();
  Watch watch = {};  // a stop ends the program
};

struct ProcessResult {
  int status = 0;      // what it exited with; 128 + signal if it was ended by one
  std::string output;  // of stdout and stderr together, its last 64 KiB
};

// Throws Error(Unavailable) if there is no such program or the deadline passes (it is then ended, with
// the programs it started), Error(Cancelled) on a stop.
ProcessResult run_process(const ProcessRequest& request);

}  // namespace choir::cli
