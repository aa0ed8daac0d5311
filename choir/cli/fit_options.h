// The options that every method of `choir fit` understands, as the user typed them.
#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

#include "choir/cli/sim_arguments.h"
#include "choir/kernel/kernel.h"
#include "choir/learn/central/kernel_pca.h"
#include "choir/learn/components.h"
#include "choir/linalg/precision.h"
#include "choir/model/preprocessing.h"
#include "choir/runtime/contract.h"

namespace choir::cli {

struct FitOptions {
  std::string data;
  std::string labels;
  std::string out;
  bool force = false;
  bool report = false;
  bool dashboard = false;
  std::string config;

  std::string engine = "local";
  std::string topology = "auto";
  std::string deadline = "60s";
  std::string lost_peers = "fail";
  SimArguments sim;
  Index nodes = 0;  // 0: not said
  std::string by = "iid";
  std::uint64_t random_state = 0;
  int threads = 0;
  std::string precision = "float64";

  std::string kernel = "rbf";
  std::string gamma = "scale";
  int degree = 3;
  double coef0 = 1;
  bool normalized = false;

  std::string n_components = "2";
  Index max_components = 50;
  double tol = 1e-8;
  Index max_iter = 100;
  std::string longer = "--max-iter";  // what a user raises whose run was too short; not an option itself
  bool yardsticks = false;

  std::string standardize = "none";
  double divide = 1;
  std::string select_labels;

  void require_nodes() const;  // throws Error(InvalidArgument) if their number was not said
  // "auto" is ring:4 where there are enough nodes for it.
  std::string topology_for(Index node_count) const;

  // The same as types of the library. Throw Error(InvalidArgument).
  ComponentChoice component_choice() const;
  Precision precision_choice() const;
  Preprocessing preprocessing() const;  // without the sums of zscore
  Kernel kernel_with(double resolved_gamma) const;
  RunOptions run_options(const Watch& watch) const;
  CentralKpcaOptions kpca_options(const Kernel& resolved_kernel, const Watch& watch) const;
};

// What options mean to a method; those without a meaning are not offered. Their defaults are those that the
// options come with.
struct FitHelp {
  std::string by = "how: iid, label:K, sizes:A..B";
  std::string tol = "largest residual";
  std::string max_iter = "restarts of the eigensolver";
  std::string precision = "float64 or float32, of the large arrays";
  bool components = true;
};
void add_fit_options(CLI::App& command, FitOptions& options, const FitHelp& help = {});

// Where the nodes run; a part of add_fit_options().
void add_engine_options(CLI::App& command, FitOptions& options, const std::string& group);

// What only methods with a network take; without words for --yardsticks there are none.
struct NetworkHelp {
  std::string automatic_topology = "ring:4, or complete for less than 5 nodes";
  std::string yardsticks = "compare with local, gathered, central and the best possible";
};
void add_network_options(CLI::App& command, FitOptions& options, const NetworkHelp& help = {});

// How many features the nodes share, for methods that share any.
template <class MethodOptions>
void add_feature_sizes(CLI::App& command, MethodOptions& method, const std::string& group) {
  command.add_option("--n-landmarks", method.n_landmarks, "at most, of all nodes together")->group(group);
  command.add_option("--min-count", method.min_count, "samples behind every landmark")->group(group);
  command.add_option("--n-features", method.n_features, "of random-features")->group(group);
}

// Reads the configuration file, if one was named, and checks that everything needed is there.
void complete_options(CLI::App& command, FitOptions& options);

}  // namespace choir::cli
