#include "choir/cli/fit_options.h"

#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/cli/commands.h"
#include "choir/cli/config.h"
#include "choir/runtime/engines.h"

namespace choir::cli {
namespace {

void add_data_options(CLI::App& command, FitOptions& options, const FitHelp& help) {
  const std::string group = "Data";
  command.add_option("--data", options.data, "a file, or a pattern with {node}: part-{node}.npy")
      ->group(group);
  command.add_option("--labels", options.labels, "a file of labels, or a column of a csv file")->group(group);
  command.add_option("--select-labels", options.select_labels, "keep only these labels: 0,3,5,8")
      ->group(group);
  command.add_option("--divide", options.divide, "divide every value by this: 255 for pixels")->group(group);
  command.add_option("--standardize", options.standardize, "none, unit (each sample of length 1) or zscore")
      ->group(group);
  command.add_option("--nodes", options.nodes, "number of nodes the data are spread over")->group(group);
  command.add_option("--by", options.by, help.by)->group(group);
}

void add_kernel_options(CLI::App& command, FitOptions& options) {
  const std::string group = "Kernel";
  command.add_option("--kernel", options.kernel, "rbf, linear, poly, laplacian, sigmoid or cosine")
      ->group(group);
  command
      .add_option("--gamma", options.gamma, "a number, scale (1 / (M Var X)) or median (1 / (2 median d^2))")
      ->group(group);
  command.add_option("--degree", options.degree, "of poly")->group(group);
  command.add_option("--coef0", options.coef0, "of poly and sigmoid")->group(group);
  command.add_flag("--normalized", options.normalized, "divide by sqrt(k(x,x) k(y,y))")->group(group);
}

void add_solver_options(CLI::App& command, FitOptions& options, const FitHelp& help) {
  const std::string group = "Components";
  if (help.components) {
    command
        .add_option("--n-components", options.n_components,
                    "how many, or the share of variance to explain: 10, or 0.9")
        ->group(group);
    command.add_option("--max-components", options.max_components, "at most so many for a share of variance")
        ->group(group);
  }
  if (!help.tol.empty()) command.add_option("--tol", options.tol, help.tol)->group(group);
  if (!help.max_iter.empty()) {
    command.add_option("--max-iter", options.max_iter, help.max_iter)->group(group);
  }
  if (!help.precision.empty()) {
    command.add_option("--precision", options.precision, help.precision)->group(group);
  }
}

void add_run_options(CLI::App& command, FitOptions& options) {
  const std::string group = "Run";
  command.add_option("--out", options.out, "the run folder to write")->group(group);
  command.add_flag("--force", options.force, "replace an earlier run of that name")->group(group);
  command.add_flag("--report", options.report, "also write report.html, a page that shows the run")
      ->group(group);
  command.add_flag("--watch", options.dashboard, "show what goes on while it does, and who is slow")
      ->group(group);
  command.add_option("--config", options.config, "a TOML file with these options; the command line wins")
      ->group(group);
  add_engine_options(command, options, group);
  command.add_option("--threads", options.threads, "0: all cores")->check(not_negative())->group(group);
}

}  // namespace

void add_engine_options(CLI::App& command, FitOptions& options, const std::string& group) {
  command
      .add_option("--engine", options.engine,
                  fmt::format("where the nodes run: {}", fmt::join(engine_names(), ", ")))
      ->group(group);
  command.add_option("--random-state", options.random_state, "seed of everything random")->group(group);
}

void add_network_options(CLI::App& command, FitOptions& options, const NetworkHelp& help) {
  const std::string group = "Network";
  command
      .add_option(
          "--topology", options.topology,
          fmt::format("who talks to whom; see choir topology --help; auto: {}", help.automatic_topology))
      ->group(group);
  command.add_option("--deadline", options.deadline, "how long a node waits for a message of another")
      ->group(group);
  command.add_option("--lost-peers", options.lost_peers, "fail, or continue without a node that is lost")
      ->group(group);
  if (!help.yardsticks.empty()) {
    command.add_flag("--yardsticks", options.yardsticks, help.yardsticks)->group(group);
  }
  add_sim_options(command, options.sim);
}

void add_fit_options(CLI::App& command, FitOptions& options, const FitHelp& help) {
  add_data_options(command, options, help);
  add_kernel_options(command, options);
  add_solver_options(command, options, help);
  add_run_options(command, options);
}

void complete_options(CLI::App& command, FitOptions& options) {
  if (!options.config.empty()) apply_config(command, options.config);
  if (options.data.empty()) {
    throw Error(ErrorCategory::InvalidArgument,
                "there is no data; say --data FILE, or --data part-{node}.npy for shards");
  }
  if (options.out.empty()) {
    throw Error(ErrorCategory::InvalidArgument, "there is no place for the result; say --out FOLDER");
  }
  if (!(options.tol >= 0)) {
    fail(ErrorCategory::InvalidArgument, "tol is {}; it must be 0 (a run of fixed length) or more",
         options.tol);
  }
  if (options.nodes < 0)
    fail(ErrorCategory::InvalidArgument, "nodes is {}; it must be at least 1", options.nodes);
}

void FitOptions::require_nodes() const {
  if (nodes > 0) return;
  throw Error(ErrorCategory::InvalidArgument,
              "this method needs to know how many nodes there are; say --nodes J");
}

std::string FitOptions::topology_for(Index node_count) const {
  if (topology != "auto") return topology;
  return node_count < 5 ? "complete" : "ring:4";
}

RunOptions FitOptions::run_options(const Watch& watch) const {
  return {.seed = random_state,
          .deadline = parse_duration(deadline),
          .lost_peers = parse_lost_peers(lost_peers),
          .watch = watch};
}

ComponentChoice FitOptions::component_choice() const {
  const auto value = parse_number(n_components);
  if (value && *value > 0 && *value < 1) return {.count = 0, .fraction = *value, .max_count = max_components};
  const auto count = parse_integer(n_components);
  if (!count || *count < 1) {
    fail(ErrorCategory::InvalidArgument,
         "n_components is '{}'; it must be a whole number, or a share of variance between 0 and 1",
         n_components);
  }
  return {.count = static_cast<Index>(*count), .fraction = 0, .max_count = max_components};
}

Precision FitOptions::precision_choice() const {
  if (precision == "float64") return Precision::float64;
  if (precision == "float32") return Precision::float32;
  fail(ErrorCategory::InvalidArgument, "precision is '{}'; it must be float64 or float32", precision);
}

Preprocessing FitOptions::preprocessing() const {
  if (!(divide > 0)) fail(ErrorCategory::InvalidArgument, "divide is {}; it must be positive", divide);
  Preprocessing result;
  result.divide = divide;
  result.standardize = parse_standardize(standardize);
  return result;
}

Kernel FitOptions::kernel_with(double resolved_gamma) const {
  const Kernel result{.kind = parse_kernel_kind(kernel),
                      .gamma = resolved_gamma,
                      .degree = degree,
                      .coef0 = coef0,
                      .normalized = normalized};
  validate(result);
  return result;
}

CentralKpcaOptions FitOptions::kpca_options(const Kernel& resolved_kernel, const Watch& watch) const {
  CentralKpcaOptions result;
  result.kernel = resolved_kernel;
  result.components = component_choice();
  result.precision = precision_choice();
  result.tol = tol;
  result.max_iter = max_iter;
  result.seed = random_state;
  result.threads = threads;
  result.watch = watch;
  return result;
}

}  // namespace choir::cli
