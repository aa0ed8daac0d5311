#include "choir/learn/consensus_kpca/consensus_kpca.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/learn/consensus_kpca/findings.h"
#include "choir/learn/consensus_kpca/models.h"
#include "choir/learn/consensus_kpca/quality.h"
#include "choir/linalg/columns.h"
#include "choir/run/methods/methods.h"
#include "choir/run/network.h"
#include "choir/run/node_findings.h"
#include "choir/run/shards.h"
#include "choir/run/words.h"

namespace choir {

template <>
struct OptionType<consensus_kpca::Penalty>
    : ParsedOption<consensus_kpca::Penalty, consensus_kpca::parse_penalty> {
  static constexpr const char* unit = "X|auto|schedule";
  static std::string print(const consensus_kpca::Penalty& value) { return to_string(value); }
};

namespace consensus_kpca {
namespace {

struct ConsensusSettings : Settings {
  Options method = {};
  std::optional<Answer> use = {};

  ConsensusSettings() {
    components.tol = method.tol;
    components.max_iter = method.max_iter;
  }
};

Answer answer_of(const std::optional<Answer>& use, Share share) {
  const std::vector<Answer> answers = answers_for(share);
  if (!use) return answers.front();
  if (std::find(answers.begin(), answers.end(), *use) != answers.end()) return *use;
  std::vector<std::string_view> names;
  for (const Answer each : answers) names.push_back(to_string(each));
  fail(ErrorCategory::InvalidArgument, "--use {} is not among what --share {} leads to; it leads to {}",
       to_string(*use), to_string(share), fmt::join(names, " and "));
}

class ConsensusRun : public MethodOf<ConsensusSettings> {
 public:
  void check(MethodContext& context) override {
    check_network_settings(settings_, context);
    take_shared_settings(settings_, settings_.method);
    validate(settings_.method);
    use_ = answer_of(settings_.use, settings_.method.share);
    context.resolve("use", std::string(to_string(use_)));
  }

  void read(MethodContext& context) override { data_ = read_shards(settings_, context); }

  Graph network(MethodContext& context) override { return make_network(settings_, data_.nodes, context); }

  Contract contract(const MethodContext&, const Graph& graph) override {
    return consensus_kpca::contract({.graph = graph,
                                     .own = data_.own,
                                     .features = data_.features,
                                     .samples = [this](NodeId node) { return data_.size_of(node); }},
                                    settings_.method);
  }

  RunReport fit(MethodContext& context, const Graph& graph) override {
    if (settings_.network.yardsticks) compared_ = data_.shards;
    fit_ = std::make_shared<Fit>(fit_consensus_kpca(context.engine(), graph, std::move(data_.shards),
                                                    settings_.method, context.options,
                                                    {.keep_iterates = settings_.network.yardsticks}));
    return fit_->report;
  }

  void conclude(MethodContext& context, const Graph& graph) override {
    const auto nodes =
        all_findings<NodeFindings>(fit_->nodes, context, [](const auto& node) { return findings_of(node); });
    describe(nodes, context);
    std::vector<Vector> similarity;
    context.processes.together([&] {
      if (settings_.network.yardsticks) similarity = compare(graph, context);
    });
    for (const NodeFindings& node : nodes) record(node, similarity, context.result);
    for (const auto& node : fit_->nodes) {
      if (node)
        context.result.models.push_back(
            {node->node, [fit = fit_, &node = *node, use = use_] { return file_of(node, use); }});
    }
    context.result.text = words(context.result);
  }

 private:
  void describe(const std::vector<NodeFindings>& nodes, MethodContext& context) const {
    Result& result = context.result;
    const Findings all = summarise(nodes);
    if (settings_.components.tol > 0) result.converged = all.converged;
    result.iterations = all.iterations;
    result.change = all.change;
    result.consensus_gap.assign(all.consensus_gap.begin(), all.consensus_gap.end());
    result.eigenvalues = all.eigenvalues;
    result.explained_variance_ratio = all.explained_variance_ratio;
    result.n_components = all.eigenvalues.size();
    result.between_node_variance = all.between_node_variance;
    result.setup_seconds = all.setup_seconds;
    result.iterate_seconds = all.iterate_seconds;
    for (const NodeFindings& node : nodes) add_notes(node.notes, result);
    result.facts.set("share", to_string(settings_.method.share))
        .set("z_step", to_string(settings_.method.z_step))
        .set("centering", to_string(settings_.method.centering))
        .set("use", to_string(use_))
        .set("rho", nodes.front().rho);
    if (uses_gamma(settings_.method.kernel.kind)) context.resolve("gamma", nodes.front().gamma);
    if (settings_.method.share == Share::samples) context.resolve("rho", nodes.front().rho);
  }

  // Against the fit of all samples in one place, as the nodes preprocessed them. Returns how similar each
  // node was after each iteration.
  std::vector<Vector> compare(const Graph& graph, MethodContext& context) {
    const auto any =
        std::find_if(fit_->nodes.begin(), fit_->nodes.end(), [](const auto& node) { return node; });
    for (Samples& shard : compared_) (*any)->preprocessing.apply(shard);
    central_kpca::Options options;
    options.kernel = (*any)->kernel;
    options.n_components.count = context.result.n_components;
    options.centre = (*any)->centering != Centering::none;
    options.precision = settings_.method.precision;
    const central_kpca::Fit central = fit_central_kpca(side_by_side(compared_), options, context.options);
    Quality quality = measure_quality(*fit_, graph, compared_, central, context.options);
    Result& result = context.result;
    describe_yardsticks(quality.yardsticks, result);
    result.quality["similarity_own"] = quality.similarity_own;
    if (quality.similarity_neighborhood.size() > 0)
      result.quality["similarity_neighborhood"] = quality.similarity_neighborhood;
    if (quality.similarity_shared.size() > 0) result.quality["similarity_shared"] = quality.similarity_shared;
    result.quality_numbers["subspace_cosine_min"] = quality.subspace_cosine_min;
    add_notes({central.note}, result);
    return std::move(quality.similarity_after);
  }

  // {"node": 3, "iteration": 1, "change": 0.2, "gap": 0.1}, with its similarity to the central answer if that
  // is known.
  static void record(const NodeFindings& node, const std::vector<Vector>& similarity, Result& result) {
    const auto j = static_cast<std::size_t>(node.node);
    for (std::size_t i = 0; i < node.changes.size(); ++i) {
      Facts line;
      line.set("node", node.node)
          .set("iteration", i + 1)
          .set("change", node.changes[i])
          .set("gap", node.gaps[i]);
      const bool known = j < similarity.size() && static_cast<Index>(i) < similarity[j].size();
      if (known) line.set("similarity", similarity[j](static_cast<Index>(i)));
      result.metrics.push_back(std::move(line));
    }
  }

  // A file says whose samples it carries, and how many of each.
  static ModelFile file_of(const NodeResult& node, Answer use) {
    std::vector<Index> sizes;
    for (const Array& shard : node.shards) sizes.push_back(shard.columns());
    ModelFile file;
    file.node = node.node;
    file.use = to_string(use);
    file.parameters["neighborhood"] = fmt::format("{}", fmt::join(node.neighborhood, ","));
    file.parameters["samples"] = fmt::format("{}", fmt::join(sizes, ","));
    file.answers = answers_of(node);
    return file;
  }

  static std::string words(const Result& result) {
    std::string text = component_table(result);
    if (!result.quality.empty()) {
      text += fmt::format("\n\n{}\nsmallest cosine to the central subspace: {:.4f}",
                          similarity_table(result, {{"local", "local"},
                                                    {"gather_own", "gathered, own"},
                                                    {"similarity_own", "consensus, own"},
                                                    {"oracle", "best of own"},
                                                    {"gather_neighborhood", "gathered"},
                                                    {"similarity_neighborhood", "consensus"},
                                                    {"similarity_shared", "consensus, shared"}}),
                          result.quality_numbers.at("subspace_cosine_min"));
    }
    return fmt::format("{}\n\n{}\n{}", text, sent_words(result), ending_words(result));
  }

  Answer use_ = Answer::own;
  RunData data_;
  std::vector<Samples> compared_;  // the samples once more, for the yardsticks
  std::shared_ptr<Fit> fit_;
};

OptionTable option_table() {
  OptionTable table = shared_rows(true);
  table.at("tol").says("largest change of a node's directions in an iteration; 0: a run of fixed length");
  table.at("max-iter").says("most iterations");
  const auto method = [](ConsensusSettings& settings) -> Options& { return settings.method; };
  OptionGroup<ConsensusSettings, Options> exchange(table, "What leaves a node", method);
  exchange
      .add("share", &Options::share,
           "samples go to neighbours; landmarks are means of several samples each; random-features are sums "
           "over all samples")
      .in_short_help();
  exchange
      .add("exchange-noise", &Options::exchange_noise,
           "standard deviation of the noise added to samples before they leave a node")
      .at_least(0);
  add_feature_size_rows(exchange);
  exchange.add("agree", &Options::agree, "how sums are formed when samples are not exchanged");
  OptionGroup<ConsensusSettings> run(table, "Consensus");
  run.add("use", &ConsensusSettings::use, "auto",
          "answer that transform and score use by default; auto: neighborhood, or shared when samples are "
          "not exchanged");
  OptionGroup<ConsensusSettings, Options> consensus(table, "Consensus", method);
  consensus.add("centering", &Options::centering,
                "by the mean of all samples (landmark), of each shard (local), or none");
  consensus.add("z-step", &Options::z_step, "unbiased, or paper (eqs. 10 and 11 as printed)");
  consensus.add("rho", &Options::rho, "penalty: auto (Assumption 2), a number, or schedule (as printed)");
  consensus.add("init", &Options::init,
                "start from kernel PCA of the neighbourhood (gather), of the own samples (local), or random");
  consensus
      .add("guard", &Options::guard, "auto",
           "columns carried beyond the components; auto: 5, or 0 with --z-step paper")
      .at_least(0);
  return table;
}

}  // namespace

const MethodInfo& method_info() {
  static const MethodInfo info = {.name = "consensus-kpca",
                                  .about = "kernel PCA of all nodes' samples, by talking to neighbours only",
                                  .example =
                                      "choir fit consensus-kpca --data datasets/digits.npz:images --nodes 20 "
                                      "--gamma 2e-7 --n-components 10 "
                                      "--yardsticks --out runs/consensus",
                                  .kinds = {Kind::raw_samples, Kind::centroids, Kind::features,
                                            Kind::coefficients, Kind::statistics, Kind::control},
                                  .yardsticks = "local, gathered, central and best possible",
                                  .options = option_table(),
                                  .start = [] { return std::make_unique<ConsensusRun>(); }};
  return info;
}

}  // namespace consensus_kpca
}  // namespace choir
