#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/cli/consensus_report.h"
#include "choir/cli/fit_data.h"
#include "choir/cli/fit_engine.h"
#include "choir/cli/fit_methods.h"
#include "choir/cli/fit_network.h"
#include "choir/cli/fit_run.h"
#include "choir/cli/parsed.h"
#include "choir/cli/run_report.h"
#include "choir/learn/consensus_kpca/consensus_kpca.h"
#include "choir/learn/consensus_kpca/models.h"
#include "choir/learn/consensus_kpca/quality.h"
#include "choir/linalg/columns.h"

namespace choir::cli {
namespace {

struct ConsensusArguments {
  FitOptions fit;
  ConsensusKpcaOptions method;  // its numbers are options; its choices are made from the words below
  std::string use = "auto";
  std::string share{to_string(method.share)};
  std::string agree{to_string(method.agree)};
  std::string z_step{to_string(method.z_step)};
  std::string start{to_string(method.start)};
  std::string centering{to_string(method.centering)};
  std::string rho = "auto";
  std::string guard = "auto";

  ConsensusArguments() {
    fit.tol = method.tol;
    fit.max_iter = method.max_iter;
  }
};

ConsensusKpcaOptions method_of(const ConsensusArguments& arguments) {
  ConsensusKpcaOptions method = arguments.method;
  method.kernel = arguments.fit.kernel_with(1);
  method.gamma = parse_gamma(arguments.fit.gamma);
  method.preprocessing = arguments.fit.preprocessing();
  method.components = arguments.fit.component_choice();
  method.precision = arguments.fit.precision_choice();
  method.tol = arguments.fit.tol;
  method.max_iter = arguments.fit.max_iter;
  method.share = parse_share(arguments.share);
  method.agree = parse_agree(arguments.agree);
  method.z_step = parse_z_step(arguments.z_step);
  method.start = parse_start(arguments.start);
  method.centering = parse_centering(arguments.centering);
  method.rho = parse_penalty(arguments.rho);
  method.guard = parse_count_or("auto", "guard", arguments.guard, 0);
  validate(method);
  return method;
}

Answer answer_of(const std::string& use, Share share) {
  const std::vector<Answer> answers = answers_for(share);
  if (use == "auto") return answers.front();
  const Answer answer = parse_answer(use);
  if (std::find(answers.begin(), answers.end(), answer) != answers.end()) return answer;
  std::vector<std::string_view> names;
  for (const Answer each : answers) names.push_back(to_string(each));
  fail(ErrorCategory::InvalidArgument, "--use {} is not among what --share {} leads to; it leads to {}", use,
       to_string(share), fmt::join(names, " and "));
}

// What the nodes run, and what they leave.
struct Plan {
  ConsensusKpcaOptions method;
  Answer use;
};

Plan make_plan(const ConsensusArguments& arguments, FitRun& run) {
  check_network_options(arguments.fit);
  Plan plan{.method = method_of(arguments), .use = Answer::own};
  plan.method.watch = run.quiet_watch();
  plan.method.keep_iterates = arguments.fit.yardsticks;
  plan.use = answer_of(arguments.use, plan.method.share);
  run.resolve("use", std::string(to_string(plan.use)));
  return plan;
}

std::uint64_t announce_memory(const Plan& plan, const Graph& graph, const FitData& data,
                              const FitOptions& options, ProcessGroup& processes, FitRun& run) {
  const NetworkShape shape{
      .graph = graph, .own = data.own, .features = data.features, .samples = [&](NodeId node) {
        return data.size_of(node);
      }};
  const Contract contract = consensus_kpca_contract(shape, plan.method);
  return announce_memory(contract, graph, options, processes, run);
}

ConsensusKpcaFit run_plan(const Plan& plan, const Graph& graph, std::vector<Samples> shards,
                          const RunOptions& run, Engine& engine) {
  ConsensusKpcaFit fit = fit_consensus_kpca(engine, graph, std::move(shards), plan.method, run);
  require_no_crash(fit.report, run.lost_peers);
  return fit;
}

// Against the fit of all samples in one place, as the nodes preprocessed them.
ConsensusQuality add_quality(const ConsensusKpcaFit& fit, const Graph& graph, std::vector<Samples> shards,
                             const FitOptions& options, FitRun& run, RunResult& result) {
  const auto any = std::find_if(fit.nodes.begin(), fit.nodes.end(), [](const auto& node) { return node; });
  for (Samples& shard : shards) (*any)->preprocessing.apply(shard);
  CentralKpcaOptions kpca;
  kpca.kernel = (*any)->kernel;
  kpca.components.count = result.n_components;
  kpca.centre = (*any)->centering != Centering::none;
  kpca.precision = options.precision_choice();
  kpca.seed = options.random_state;
  kpca.threads = options.threads;
  kpca.watch = run.quiet_watch();
  const CentralKpca central = central_kernel_pca(side_by_side(shards), kpca);
  ConsensusQuality quality =
      measure_quality(fit, graph, shards, central, {.threads = options.threads, .watch = kpca.watch});
  describe_quality(quality, result);
  add_notes({central.note}, result);
  return quality;
}

void record_iterations(const std::vector<Json>& nodes, const std::vector<Vector>& similarity, FitRun& run) {
  for (const Json& node : nodes) {
    const auto j = node.at("node").get<std::size_t>();
    for (const Json& line : iteration_lines(node, j < similarity.size() ? similarity[j] : Vector())) {
      run.record(line);
    }
  }
}

// A file says whose samples it carries, and how many of each.
void save_node(const ConsensusKpca& fit, Answer use, FitRun& run) {
  std::vector<Index> sizes;
  for (const Array& shard : fit.shards) sizes.push_back(shard.columns());
  ModelFile file;
  file.node = fit.node;
  file.use = to_string(use);
  file.parameters["neighborhood"] = fmt::format("{}", fmt::join(fit.neighborhood, ","));
  file.parameters["samples"] = fmt::format("{}", fmt::join(sizes, ","));
  file.answers = answers_of(fit);
  run.save(std::move(file));
}

void describe_method(const Plan& plan, RunResult& result) {
  result.extra["share"] = to_string(plan.method.share);
  result.extra["z_step"] = to_string(plan.method.z_step);
  result.extra["centering"] = to_string(plan.method.centering);
  result.extra["use"] = to_string(plan.use);
}

void fit_consensus(CLI::App& command, const ConsensusArguments& arguments, Session& session,
                   ProcessGroup& processes) {
  const FitOptions& options = arguments.fit;
  FitRun run(command, options, session, processes);
  const Plan plan = processes.together([&] { return make_plan(arguments, run); });
  FitData data = read_fit_data(options, processes);
  run.keep_some(data);
  const Graph graph = processes.together([&] { return make_network(options, data.nodes, run); });
  RunResult result;
  result.extra["planned_memory_bytes"] = announce_memory(plan, graph, data, options, processes, run);
  std::vector<Samples> shards;
  if (options.yardsticks) shards = data.shards;
  const ConsensusKpcaFit fit = processes.together(
      [&] { return run_plan(plan, graph, std::move(data.shards), run.run_options(), processes.engine()); });

  describe_data(data, result);
  describe_run(fit.report, graph, options.engine, result);
  describe_method(plan, result);
  const std::vector<Json> nodes = gather_nodes(numbers_of(fit), processes);
  processes.together([&] {
    summarise_consensus(nodes, result);
    if (uses_gamma(plan.method.kernel.kind)) run.resolve("gamma", nodes.front().at("gamma").dump());
    if (plan.method.share == Share::samples) run.resolve("rho", nodes.front().at("rho").dump());
    ConsensusQuality quality;
    if (options.yardsticks) quality = add_quality(fit, graph, std::move(shards), options, run, result);
    record_iterations(nodes, quality.similarity_after, run);
    for (const auto& node : fit.nodes) {
      if (node) save_node(*node, plan.use, run);
    }
  });
  run.finish(result, consensus_table);
}

void add_exchange_options(CLI::App& command, ConsensusArguments& arguments) {
  const std::string group = "What leaves a node";
  command
      .add_option("--share", arguments.share,
                  "samples (with neighbours), landmarks (means of several samples each) or random-features "
                  "(sums over all samples alone)")
      ->group(group);
  command
      .add_option("--exchange-noise", arguments.method.exchange_noise,
                  "standard deviation of what is added to samples before they leave a node")
      ->group(group);
  add_feature_sizes(command, arguments.method, group);
  command
      .add_option("--agree", arguments.agree,
                  "how sums are formed where no samples are shared: tree, consensus or gossip")
      ->group(group);
}

void add_method_options(CLI::App& command, ConsensusArguments& arguments) {
  const std::string group = "Consensus";
  command
      .add_option("--use", arguments.use,
                  "answer that transform and score use unless told: neighborhood, own or shared; auto: "
                  "neighborhood, or shared if no samples are")
      ->group(group);
  command
      .add_option("--centering", arguments.centering,
                  "landmark (by the mean of all samples), local (each shard by its own) or none")
      ->group(group);
  command.add_option("--z-step", arguments.z_step, "unbiased, or paper (eqs. 10 and 11 as printed)")
      ->group(group);
  command
      .add_option("--rho", arguments.rho, "penalty: auto (Assumption 2), a number, or schedule (as printed)")
      ->group(group);
  command
      .add_option(
          "--init", arguments.start,
          "start from kernel PCA of the neighbourhood (gather), of the own samples (local), or random")
      ->group(group);
  command
      .add_option("--guard", arguments.guard,
                  "columns carried beyond the components; auto: 5, or 0 with --z-step paper")
      ->group(group);
}

}  // namespace

void add_fit_consensus_kpca(CLI::App& fit, Session& session) {
  CLI::App* command = add_command(
      fit, session, "consensus-kpca", "kernel PCA of all nodes' samples, by talking to neighbours only",
      "choir fit consensus-kpca --data datasets/digits.npz:images --nodes 20 --gamma 2e-7 --n-components 10 "
      "--yardsticks --out runs/consensus",
      Prints::table);
  auto arguments = std::make_shared<ConsensusArguments>();
  add_fit_options(*command, arguments->fit,
                  {.tol = "largest change of a node's directions in an iteration; 0: a run of fixed length",
                   .max_iter = "iterations"});
  add_network_options(*command, arguments->fit);
  add_exchange_options(*command, *arguments);
  add_method_options(*command, *arguments);
  command->callback([command, arguments, &session] {
    fit_on_engine(*command, arguments->fit, session, Network::some,
                  [&](ProcessGroup& processes) { fit_consensus(*command, *arguments, session, processes); });
  });
}

}  // namespace choir::cli
