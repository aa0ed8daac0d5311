#include "choir/learn/consensus_kpca/consensus_kpca.h"

#include <fmt/format.h>

#include "choir/data/dataset.h"
#include "choir/learn/consensus_kpca/findings.h"
#include "choir/learn/consensus_kpca/models.h"
#include "choir/learn/consensus_kpca/option_rows.h"
#include "choir/learn/consensus_kpca/private_options.h"
#include "choir/learn/consensus_kpca/quality.h"
#include "choir/run/methods/methods.h"
#include "choir/run/network_method.h"
#include "choir/run/unused_options.h"

namespace choir {

template <>
struct OptionType<consensus_kpca::Penalty>
    : ParsedOption<consensus_kpca::Penalty, consensus_kpca::parse_penalty> {
  static constexpr const char* unit = "X|auto|schedule";
};

namespace consensus_kpca {
namespace {

using ConsensusSettings = SettingsOf<Options>;

class ConsensusRun : public NetworkMethod<ConsensusSettings, Fit> {
 public:
  void check(MethodContext& context) override {
    NetworkMethod::check(context);
    read_landmarks();
    if (settings_.method.privacy.wanted()) choose_private();
    validate(settings_.method);
    const bool shows_samples = settings_.method.share == Share::samples || settings_.network.keep_samples;
    if (settings_.method.use == Answer::own && !shows_samples) {
      throw Error(ErrorCategory::InvalidArgument,
                  "--use own needs a node's own samples in its model, which is not kept where nodes exchange "
                  "none; add "
                  "--keep-samples, or use --use shared");
    }
  }

  Contract contract(const MethodContext&, const Graph& graph) override {
    return consensus_kpca::contract(
        {.graph = graph, .own = data_.own, .features = data_.features, .samples = sizes()}, settings_.method);
  }

  std::vector<Release> releases(Index nodes) const override {
    return privacy_report(settings_.method, nodes).releases;
  }

  RunReport fit(MethodContext& context, const Graph& graph) override {
    return keep(fit_consensus_kpca(context.engine(), graph, take_shards(), settings_.method, context.options,
                                   {.keep_iterates = settings_.network.yardsticks}));
  }

  void conclude(MethodContext& context, const Graph& graph) override {
    const auto nodes = all_findings<NodeFindings>(fit_->nodes, context);
    describe(nodes, context);
    std::vector<Vector> similarity;
    context.processes.together([&] {
      if (settings_.network.yardsticks) similarity = compare(graph, context);
    });
    for (const NodeFindings& node : nodes) record(node, similarity, context.result);
    const Contents contents = context.keeps_samples ? Contents::all : Contents::no_samples;
    add_models(fit_, context.result, [contents](const NodeResult& fit) { return file_of(fit, contents); });
    context.result.text = words(context.result);
  }

 private:
  void read_landmarks() {
    Options& options = settings_.method;
    if (!options.landmarks.empty()) options.public_points = Array(read_dataset(options.landmarks).samples);
  }

  void choose_private() {
    refuse_unused(settings_, {"min-count"}, "--privacy", "landmarks are drawn, and no means of samples");
    if (!settings_.was_given("n-landmarks")) settings_.method.n_landmarks = default_private_landmarks;
  }

  void describe(const std::vector<NodeFindings>& nodes, MethodContext& context) const {
    Result& result = context.result;
    const Findings all = summarise(nodes);
    if (settings_.method.privacy.wanted()) {
      take_released_findings(all, result);
      result.privacy = privacy_report(settings_.method, result.nodes);
    } else {
      take_findings(all, result);
    }
    result.what_helps = advice_words(all);
    if (settings_.method.tol == 0) result.converged.reset();  // a run of fixed length
    for (const NodeFindings& node : nodes) add_notes(node.notes, result);
    result.facts.set("share", to_string(settings_.method.share))
        .set("z_step", to_string(settings_.method.z_step))
        .set("centering", to_string(settings_.method.centering))
        .set("use", to_string(nodes.front().use))
        .set("rho", nodes.front().rho);
    context.resolve("use", std::string(to_string(nodes.front().use)));
    if (settings_.method.share == Share::random_features && !result.privacy)
      result.facts.set("kernel_error", nodes.front().kernel_error);
    if (uses_gamma(settings_.method.kernel.kind)) context.resolve("gamma", nodes.front().gamma);
    if (settings_.method.share == Share::samples) context.resolve("rho", nodes.front().rho);
  }

  // Against the fit of all samples in one place. Returns how similar each node was after each iteration.
  std::vector<Vector> compare(const Graph& graph, MethodContext& context) {
    auto [quality, note] =
        compare_with_central(*fit_, graph, std::move(compared_), settings_.method.precision, context.options);
    Result& result = context.result;
    describe_yardsticks(quality.yardsticks, result);
    result.quality["similarity_own"] = quality.similarity_own;
    if (quality.similarity_neighborhood.size() > 0)
      result.quality["similarity_neighborhood"] = quality.similarity_neighborhood;
    if (quality.similarity_shared.size() > 0) result.quality["similarity_shared"] = quality.similarity_shared;
    result.quality_numbers["subspace_cosine_min"] = quality.subspace_cosine_min;
    add_notes({note}, result);
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
                                                    {"oracle_neighborhood", "best of these"},
                                                    {"similarity_shared", "consensus, shared"}}),
                          result.quality_numbers.at("subspace_cosine_min"));
    }
    return fmt::format("{}\n\n{}\n{}", text, sent_words(result), ending_words(result));
  }
};

OptionTable option_table() {
  OptionTable table = shared_rows(true);
  table.at("tol").says("largest change of a node's directions per iteration; 0: a run of fixed length");
  table.at("max-iter").says("largest number of iterations");
  add_exchange_rows(MethodRows<ConsensusSettings>(table, "What leaves a node"));
  add_consensus_rows(MethodRows<ConsensusSettings>(table, "Consensus"));
  table.at("n-landmarks").says("number of landmarks, all nodes together; with --privacy 100 unless given");
  add_privacy_rows(table);
  return table;
}

}  // namespace

MethodInfo method_info() {
  return {.name = "consensus-kpca",
          .about = "kernel PCA of all nodes' samples, by talking to neighbours only",
          .example =
              "choir fit consensus-kpca --data datasets/digits.npz:images --nodes 20 "
              "--gamma 2e-7 --n-components 10 "
              "--yardsticks --out runs/consensus",
          .kinds = {Kind::raw_samples, Kind::centroids, Kind::features, Kind::coefficients,
                    Kind::own_statistics, Kind::masked, Kind::totals, Kind::control},
          .yardsticks = "local, gathered, central and best possible",
          .private_facts = {"share", "z_step", "centering", "use", "rho"},
          .options = option_table(),
          .start = [] { return std::make_unique<ConsensusRun>(); }};
}

}  // namespace consensus_kpca
}  // namespace choir
