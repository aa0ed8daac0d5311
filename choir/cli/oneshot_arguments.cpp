#include "choir/cli/oneshot_arguments.h"

#include <algorithm>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/cli/parsed.h"
#include "choir/data/shards.h"

namespace choir::cli {
namespace {

std::optional<double> parse_epsilon(const std::string& text) {
  if (text == "auto") return std::nullopt;
  const auto value = parse_number(text);
  if (!value) {
    fail(ErrorCategory::InvalidArgument, "epsilon is '{}'; it must be auto or a number between 0 and 1",
         text);
  }
  return value;
}

// Rows that do not belong together give components that look like any others.
void require_an_order(const OneshotArguments& arguments) {
  if (!arguments.key.empty() && arguments.assume_same_order) {
    throw Error(ErrorCategory::InvalidArgument,
                "--key restores the order of the samples, and --assume-same-order takes it as it is; leave "
                "one of them out");
  }
  if (!is_shard_pattern(arguments.fit.data)) return;  // rows of one file
  if (!arguments.key.empty() || arguments.assume_same_order) return;
  fail(
      ErrorCategory::InvalidArgument,
      "nothing says that a row of {} is the same sample at every node; name the column of a csv file (or the "
      "file, keys-{{node}}.npy) that says who the samples are with --key, or answer for the order of the "
      "rows yourself with --assume-same-order",
      arguments.fit.data);
}

void add_order_options(CLI::App& command, OneshotArguments& arguments) {
  const std::string group = "Whose samples";
  command
      .add_option(
          "--key", arguments.key,
          "a column of csv files, by name or number, or a file of whole numbers (keys-{node}.npy): who "
          "each sample is; the order is restored, and samples that not all nodes have are left out")
      ->group(group);
  command
      .add_flag("--assume-same-order", arguments.assume_same_order,
                "shards without a key: you answer for it that all have the same samples in the same order")
      ->group(group);
}

void add_factor_options(CLI::App& command, OneshotArguments& arguments) {
  const std::string group = "What a node sends";
  command
      .add_option("--estimator", arguments.estimator,
                  "product (of the nodes' kernel matrices; rbf and linear), or distances (any kernel of "
                  "distances or inner products but laplacian)")
      ->group(group);
  command
      .add_option("--local-components", arguments.local_components,
                  "eigenvectors a node sends: a number, or adaptive (those that matter, see --epsilon); "
                  "without a centre, adaptive: 60, or 5 more than the components")
      ->group(group);
  command
      .add_option("--epsilon", arguments.epsilon,
                  "adaptive: eigenvalues above so much of the first matter; auto: 5e-4, or 0.04 for the "
                  "product of the linear kernel and for distances")
      ->group(group);
  command
      .add_flag("--no-raw-equivalent", arguments.method.refuse_raw_equivalent,
                "refuse to send as much as a node's raw features, which shows them up to a rotation")
      ->group(group);
}

void add_fusion_options(CLI::App& command, OneshotArguments& arguments) {
  const std::string group = "Fusion";
  command
      .add_option(
          "--fusion", arguments.fusion,
          "center (one message a node to one node, which alone gets the answer), tree or gossip (every "
          "node gets it)")
      ->group(group);
  command.add_option("--center", arguments.method.center, "the node that fuses")->group(group);
  command.add_option("--messages-per-node", arguments.method.messages, "with --fusion gossip")->group(group);
}

}  // namespace

void add_oneshot_options(CLI::App& command, OneshotArguments& arguments) {
  add_fit_options(command, arguments.fit,
                  {.by = "features, which is all that this method can do",
                   .tol = "largest residual of the eigensolvers",
                   .max_iter = "restarts of the eigensolvers",
                   .precision = ""});
  add_network_options(command, arguments.fit,
                      {.automatic_topology = "a star around the centre; without one as gossip-pca has it",
                       .yardsticks = "compare with kernel PCA of all features in one place"});
  add_order_options(command, arguments);
  add_factor_options(command, arguments);
  add_fusion_options(command, arguments);
}

OneshotKpcaOptions method_of(const OneshotArguments& arguments) {
  OneshotKpcaOptions method = arguments.method;
  method.estimator = parse_estimator(arguments.estimator);
  method.fusion = parse_fusion(arguments.fusion);
  method.kernel = arguments.fit.kernel_with(1);
  method.gamma = parse_gamma(arguments.fit.gamma);
  method.preprocessing = arguments.fit.preprocessing();
  method.components = arguments.fit.component_choice();
  method.local_components = parse_count_or("adaptive", "local_components", arguments.local_components, 1);
  method.epsilon = parse_epsilon(arguments.epsilon);
  method.tol = arguments.fit.tol;
  method.max_iter = arguments.fit.max_iter;
  // Ranks share the cores among them.
  method.threads = arguments.fit.engine == "mpi" ? std::max(1, arguments.fit.threads) : arguments.fit.threads;
  require_an_order(arguments);
  method.match_keys = !arguments.key.empty() && is_shard_pattern(arguments.fit.data);
  validate(method);
  return method;
}

Estimator effective_estimator(const OneshotKpcaOptions& method) {
  return method.fusion == Fusion::center ? method.estimator : Estimator::distances;
}

}  // namespace choir::cli
