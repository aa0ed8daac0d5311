#include "choir/learn/oneshot_kpca/oneshot_kpca.h"

#include <algorithm>

#include <fmt/format.h>

#include "choir/graph/regular.h"
#include "choir/learn/oneshot_kpca/findings.h"
#include "choir/learn/oneshot_kpca/option_rows.h"
#include "choir/learn/oneshot_kpca/quality.h"
#include "choir/run/methods/methods.h"
#include "choir/run/network_method.h"

namespace choir::oneshot_kpca {
namespace {

struct OneshotSettings : SettingsOf<Options> {
  std::string key;
  bool assume_same_order = false;
};

// Rows that do not belong together give components that look like any others.
void require_an_order(const OneshotSettings& settings, const MethodContext& context) {
  if (!settings.key.empty() && settings.assume_same_order) {
    throw Error(
        ErrorCategory::InvalidArgument,
        "--key restores the order of the samples, and --assume-same-order takes it as it is; omit one "
        "of them");
  }
  if (!has_own_data(settings, context) || settings.assume_same_order) return;
  const bool arrays = !context.data.arrays.empty();  // nothing in them says who the samples are
  if (!settings.key.empty() && !arrays) return;
  fail(ErrorCategory::InvalidArgument,
       "nothing says that a row of {} is the same sample at every node; {}use --assume-same-order to "
       "guarantee that the rows are in the same order",
       arrays ? "these arrays" : settings.data.data,
       arrays ? ""
              : "use --key to name the column of a csv file (or the file, keys-{node}.npy) that says who the "
                "samples are, or ");
}

class OneshotRun : public NetworkMethod<OneshotSettings, Fit> {
 public:
  void check(MethodContext& context) override {
    NetworkMethod::check(context);
    Options& method = settings_.method;
    require_an_order(settings_, context);
    method.match_keys = !settings_.key.empty() && has_own_data(settings_, context);
    validate(method);
    // Ranks share the cores among them.
    if (settings_.engine.engine == "mpi") context.options.threads = std::max(1, context.options.threads);
    context.resolve("by", "features");
  }

  void read(MethodContext& context) override {
    data_ = read_shards(settings_, context, {.division = Division::coordinates, .key = settings_.key});
  }

  Graph network(MethodContext& context) override {
    const Options& method = settings_.method;
    if (settings_.network.topology != "auto" || method.fusion != Fusion::center)
      return make_network(settings_, data_.nodes, context, gossip_topology(data_.nodes));
    context.resolve("topology", fmt::format("a star around node {}", method.center));
    return star_graph(data_.nodes, method.center);
  }

  Contract contract(const MethodContext&, const Graph& graph) override {
    return oneshot_kpca::contract({.graph = graph, .samples = data_.samples, .features = sizes()},
                                  settings_.method);
  }

  RunReport fit(MethodContext& context, const Graph& graph) override {
    std::vector<SampleOrder> orders;
    for (std::size_t i = 0; i < data_.shards.size(); ++i)
      orders.push_back(
          SampleOrder::known_from(data_.keys[i], data_.shards[i].cols(), has_own_data(settings_, context)));
    return keep(fit_oneshot_kpca(context.engine(), graph, std::move(data_.shards), std::move(orders),
                                 settings_.method, context.options));
  }

  void conclude(MethodContext& context, const Graph&) override {
    const auto nodes = all_findings<NodeFindings>(fit_->nodes, context);
    context.processes.together([&] {
      const Findings all = summarise(nodes);
      describe(nodes, all, context);
      if (settings_.method.match_keys) describe_left_out(nodes, all, context.result);
      if (settings_.network.yardsticks) compare(context);
      if (context.draws && context.keeps_samples) draw(context);
      context.result.text = words(all, context.result);
    });
    add_part_models(fit_, data_, context.result, file_of);
  }

 private:
  void describe(const std::vector<NodeFindings>& nodes, const Findings& all, MethodContext& context) const {
    Result& result = context.result;
    take_findings(all.answer, result);
    result.samples = all.samples;
    result.setup_seconds = all.local_seconds;
    if (all.estimator != settings_.method.estimator)
      context.resolve("estimator", std::string(to_string(all.estimator)));
    result.what_helps = what_helps_words(all);
    result.facts.set("estimator", to_string(all.estimator))
        .set("fusion", to_string(settings_.method.fusion))
        .set("answer_at", all.answer_at)
        .set("bound", all.answer.bound)
        .set("agreement", all.answer.agreement)
        .set("vectors_sent", Facts().set("total", all.all_vectors_sent).set("per_node", all.vectors_sent))
        .set("raw_equivalent", all.raw_equivalent);
    add_similar_notes(notes_of(nodes), result);
    if (uses_gamma(settings_.method.kernel.kind)) context.resolve("gamma", nodes.front().gamma);
  }

  // Rows are numbered of nodes of this process alone, and nobody is named.
  void describe_left_out(const std::vector<NodeFindings>& nodes, const Findings& all, Result& result) const {
    result.facts.set("left_out", all.left_out);
    for (const NodeFindings& node : nodes) {
      const auto& own = fit_->nodes[static_cast<std::size_t>(node.node)];
      add_notes({left_out_words(node, own ? own->left_out : std::vector<Index>())}, result);
    }
  }

  void compare(MethodContext& context) const {
    if (!fit_->report.crashed.empty()) {
      add_notes({"there are no yardsticks, as the features of nodes that crashed are gone"}, context.result);
      return;
    }
    central_kpca::Options central;
    take_shared_settings(settings_, central);
    context.result.quality_numbers["subspace_error"] = subspace_error_of(*fit_, central, context.options);
  }

  // Every party has all samples, and its own features of them: there is one picture, not one of each.
  void draw(MethodContext& context) const {
    const auto found =
        std::ranges::find_if(fit_->nodes, [](const auto& node) { return node && node->answer; });
    if (found == fit_->nodes.end()) return;
    const NodeResult& party = **found;
    const bool center = settings_.method.fusion == Fusion::center;
    context.sketch.add_scores(
        {.node = party.node,
         .name = center ? fmt::format("party {}, which has the answer", party.node) : "every party",
         .scores = party.answer->scores,
         .labels = labels_in_order(party, data_.labels_of(party.node), data_.keys_of(party.node),
                                   settings_.method.match_keys)});
  }

  static std::string words(const Findings& all, const Result& result) {
    std::string text = component_table(result) + "\n\n";
    if (const auto error = result.quality_numbers.find("subspace_error");
        error != result.quality_numbers.end()) {
      text += fmt::format("against kernel PCA of all features in one place: subspace error {:.2e}\n\n",
                          error->second);
    }
    text +=
        fmt::format("{}\n{}; {}\n", sent_words(result), vector_words(all), answer_words(all, result.nodes));
    if (const std::string bound = bound_words(all); !bound.empty()) text += bound + "\n";
    return text + ending_words(all);
  }
};

void add_order_rows(OptionGroup<OneshotSettings> order) {
  order
      .add("key", &OneshotSettings::key,
           "identity of each sample: a column of csv files, by name or number, or a file of integers "
           "(keys-{node}.npy); the order is restored by private set intersection, and samples that not all "
           "nodes have are left out")
      .named("COLUMN|FILE")
      .in_short_help();
  order.add("assume-same-order", &OneshotSettings::assume_same_order,
            "shards without a key: you guarantee that all parties have the same samples in the same order");
}

OptionTable option_table() {
  OptionTable table = shared_rows(true);
  remove_table_rows(table);  // parties have columns of their own, all of them numbers
  table.remove("precision");
  table.at("by").says("how one file is distributed: features, the only choice here");
  table.at("tol").says("largest residual of the eigensolvers").above(0);
  table.at("max-iter").says("largest number of eigensolver restarts");
  table.at("topology")
      .says(
          "who talks to whom, see choir topology --help; auto: a star around the centre, or, without a "
          "centre, as for gossip-pca");
  table.at("yardsticks").says("compare with kernel PCA of all features in one place");
  add_order_rows({table, "Whose samples"});
  add_key_rows(MethodRows<OneshotSettings>(table, "Whose samples"));
  add_factor_rows(MethodRows<OneshotSettings>(table, "What a node sends"));
  add_fusion_rows(MethodRows<OneshotSettings>(table, "Fusion"));
  return table;
}

}  // namespace

MethodInfo method_info() {
  return {.name = "oneshot-kpca",
          .about =
              "kernel PCA of parties that hold different features of the same samples, with one message per "
              "party",
          .example =
              "choir fit oneshot-kpca --data datasets/digits.npz:images --nodes 4 --divide 255 "
              "--n-components 5 --yardsticks --out runs/oneshot",
          .brings = Brings::columns,
          .kinds = {Kind::raw_samples, Kind::features, Kind::own_statistics, Kind::masked, Kind::totals,
                    Kind::identifiers, Kind::control},
          .yardsticks = "kernel PCA of all features in one place",
          .options = option_table(),
          .start = [] { return std::make_unique<OneshotRun>(); }};
}

}  // namespace choir::oneshot_kpca
