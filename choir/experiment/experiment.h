// An experiment repeats a figure of a paper, or answers a question of our own, with numbers and pictures.
//
//   const Experiment& experiment = find_experiment("consensus-kpca/fig3");
//   const ExperimentResult result = experiment.run({.quick = true, .data = "datasets"});
//   result.table.csv();
//
// A seed decides every draw but exchange noise: the same options give the same table, but for the times.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "choir/base/progress.h"
#include "choir/report/chart.h"
#include "choir/report/data_table.h"

namespace choir {

struct ExperimentOptions {
  bool quick = false;               // small sizes and one seed, on datasets/digits.npz, without a network
  Index seeds = 5;                  // repeated with seeds 0, 1, ...
  int threads = 0;                  // 0: all cores
  std::filesystem::path data = {};  // holds mnist/, with quick digits.npz
  Watch watch = {};
  std::function<void(const std::string& sentence)> say = {};  // what the user should read before the end
};

struct Picture {
  std::string name;  // of the file, behind the experiment's; empty for the first
  Chart chart;
};

struct ExperimentResult {
  DataTable table;                        // one row for each setting, series and quantity
  std::vector<DataTable> summaries = {};  // for people: settings down, series across
  std::vector<Picture> pictures = {};
  std::vector<std::string> notes = {};  // what a reader must know to judge the numbers
};

using ExperimentFunction = ExperimentResult(const ExperimentOptions& options);

struct Experiment {
  std::string id;     // "consensus-kpca/fig3"
  std::string shows;  // one sentence
  std::function<ExperimentFunction> run;
};

// In the order in which `all` runs them.
const std::vector<Experiment>& all_experiments();
// Throws Error(InvalidArgument) naming the choices.
const Experiment& find_experiment(const std::string& id);

// Throws Error(InvalidArgument) for what cannot be.
void validate(const ExperimentOptions& options);

// How often an experiment is repeated.
inline Index repetitions(const ExperimentOptions& options) { return options.quick ? 1 : options.seeds; }

// What a method without a watcher of its own is given: it stops, but tells nothing.
inline Watch quiet(const ExperimentOptions& options) { return {.progress = {}, .stop = options.watch.stop}; }

}  // namespace choir
