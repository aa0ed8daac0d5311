// What an experiment leaves behind: <folder>/<id>.csv, .json, one or more .svg, and .html, a page with all of
// it.
//
//   refuse_existing("runs/experiments", experiment.id);              // before hours of work
//   write_experiment("runs/experiments", experiment, options, result, {.choir_version = "0.1.0"});
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "choir/experiment/experiment.h"

namespace choir {

struct ExperimentRun {
  std::string choir_version = {};
  std::string command = {};  // repeats it
  std::string started = {};
  nlohmann::ordered_json versions = {};
  double seconds = 0;
};

// Throws Error(InvalidArgument) if the experiment's files are there already.
void refuse_existing(const std::filesystem::path& folder, const std::string& id);

// How it was run, notes, the pictures' files and the table.
nlohmann::ordered_json to_json(const Experiment& experiment, const ExperimentOptions& options,
                               const ExperimentResult& result, const ExperimentRun& run);

// Each file is whole or not there; the .json comes last. Returns its path.
std::filesystem::path write_experiment(const std::filesystem::path& folder, const Experiment& experiment,
                                       const ExperimentOptions& options, const ExperimentResult& result,
                                       const ExperimentRun& run);

}  // namespace choir
