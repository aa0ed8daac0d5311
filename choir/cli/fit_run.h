// One run of `choir fit`: its folder, its clock, its metrics, and what is shown at the end.
#pragma once

#include <functional>
#include <map>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "choir/base/stopwatch.h"
#include "choir/cli/commands.h"
#include "choir/cli/fit_options.h"
#include "choir/model/model_file.h"
#include "choir/report/result.h"
#include "choir/report/run_folder.h"

namespace choir::cli {

class FitRun {
 public:
  // Reads the configuration file and makes the run folder, before any work.
  FitRun(CLI::App& command, FitOptions& options, Session& session);

  Console& console() { return console_; }
  Watch watch();                                    // draws, and records residuals in metrics.jsonl
  void record(const nlohmann::ordered_json& line);  // one line of metrics.jsonl
  double resolve_gamma(const Samples& samples);     // the number that the run's gamma stands for
  void save(Index node, const std::string& use, Model model);

  // Completes and writes the result, puts the folder in place, shows `table` (or the result as JSON), and
  // sets the exit code.
  void finish(RunResult result, const std::string& table);

 private:
  CLI::App& command_;
  const FitOptions& options_;
  Session& session_;
  Console console_;
  RunFolder folder_;
  Stopwatch clock_;
  std::string metrics_;
  std::map<std::string, std::string> resolved_;
};

}  // namespace choir::cli
