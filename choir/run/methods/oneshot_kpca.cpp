#include "choir/learn/oneshot_kpca/oneshot_kpca.h"

#include <algorithm>

#include <fmt/format.h>

#include "choir/data/shards.h"
#include "choir/graph/regular.h"
#include "choir/learn/oneshot_kpca/findings.h"
#include "choir/learn/oneshot_kpca/quality.h"
#include "choir/run/methods/methods.h"
#include "choir/run/network.h"
#include "choir/run/node_findings.h"
#include "choir/run/shards.h"
#include "choir/run/words.h"

namespace choir::oneshot_kpca {
namespace {

struct OneshotSettings : Settings {
  Options method = {};
  std::string key;
  bool assume_same_order = false;

  OneshotSettings() {
    components.tol = method.tol;
    components.max_iter = method.max_iter;
  }
};

// Every party has data of its own, in place of columns of one file or array.
bool has_own_data(const OneshotSettings& settings, const MethodContext& context) {
  if (!context.data.arrays.empty()) return context.data.arrays.size() > 1;
  return is_shard_pattern(settings.data.data);
}

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
       "guarantee "
       "that the rows are in the same order",
       arrays ? "these arrays" : settings.data.data,
       arrays ? ""
              : "use --key to name the column of a csv file (or the file, keys-{node}.npy) that says who the "
                "samples are, or ");
}

class OneshotRun : public MethodOf<OneshotSettings> {
 public:
  void check(MethodContext& context) override {
    Options& method = settings_.method;
    check_network_settings(settings_, context);
    take_shared_settings(settings_, method);
    require_an_order(settings_, context);
    method.match_keys = !settings_.key.empty() && has_own_data(settings_, context);
    validate(method);
    // Ranks share the cores among them.
    if (settings_.engine.engine == "mpi") context.options.threads = std::max(1, context.options.threads);
    context.resolve("by", "features");
    const Estimator estimator = effective_estimator(method);
    if (estimator != method.estimator) context.resolve("estimator", std::string(to_string(estimator)));
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
    return oneshot_kpca::contract({.graph = graph,
                                   .samples = data_.samples,
                                   .features = [this](NodeId node) { return data_.size_of(node); }},
                                  settings_.method);
  }

  RunReport fit(MethodContext& context, const Graph& graph) override {
    std::vector<SampleOrder> orders = orders_of_parties(has_own_data(settings_, context));
    fit_ = std::make_shared<Fit>(fit_oneshot_kpca(context.engine(), graph, std::move(data_.shards),
                                                  std::move(orders), settings_.method, context.options));
    return fit_->report;
  }

  void conclude(MethodContext& context, const Graph&) override {
    const auto nodes =
        all_findings<NodeFindings>(fit_->nodes, context, [](const auto& node) { return findings_of(node); });
    context.processes.together([&] {
      const Findings all = summarise(nodes);
      describe(nodes, all, context);
      if (settings_.method.match_keys) describe_left_out(nodes, all, context.result);
      if (settings_.network.yardsticks) compare(context);
      if (context.draws) draw(context);
      context.result.text = words(all, context.result);
    });
    for (const auto& node : fit_->nodes) {
      if (!node) continue;
      context.result.models.push_back(
          {node->node, [fit = fit_, &node = *node, columns = data_.columns_of(node->node)] {
             return file_of(node, columns);
           }});
    }
  }

 private:
  // Who the samples are: their keys; rows of one file are numbered; for data without keys the user guarantees
  // the order.
  std::vector<SampleOrder> orders_of_parties(bool own_data) const {
    std::vector<SampleOrder> orders;
    for (std::size_t i = 0; i < data_.shards.size(); ++i) {
      const Index samples = data_.shards[i].cols();
      if (!data_.keys[i].empty()) {
        orders.push_back({.keys = data_.keys[i], .samples = samples});
      } else {
        orders.push_back(own_data ? SampleOrder::assumed(samples) : SampleOrder::numbered(samples));
      }
    }
    return orders;
  }

  void describe(const std::vector<NodeFindings>& nodes, const Findings& all, MethodContext& context) const {
    Result& result = context.result;
    result.samples = all.samples;
    result.eigenvalues = all.answer.eigenvalues;
    result.explained_variance_ratio = all.answer.explained_variance_ratio;
    result.n_components = all.answer.eigenvalues.size();
    result.converged = all.answer.converged;
    result.residual = all.answer.residual;
    result.setup_seconds = all.local_seconds;
    result.iterate_seconds = all.answer.seconds;
    result.facts.set("estimator", to_string(effective_estimator(settings_.method)))
        .set("fusion", to_string(settings_.method.fusion))
        .set("answer_at", all.answer_at)
        .set("bound", all.answer.bound)
        .set("vectors_sent", Facts().set("total", all.all_vectors_sent).set("per_node", all.vectors_sent))
        .set("raw_equivalent", all.raw_equivalent);
    add_similar_notes(notes_of(nodes), result);
    if (uses_gamma(settings_.method.kernel.kind)) context.resolve("gamma", nodes.front().gamma);
  }

  // Keys are named of nodes of this process alone: nobody else is to learn them.
  void describe_left_out(const std::vector<NodeFindings>& nodes, const Findings& all, Result& result) const {
    result.facts.set("left_out", all.left_out);
    for (const NodeFindings& node : nodes) {
      std::vector<std::string> keys;
      if (const auto& own = fit_->nodes[static_cast<std::size_t>(node.node)]) {
        const std::vector<std::string>& all_keys = data_.keys[data_.place(node.node)];
        for (const Index place : own->left_out) keys.push_back(all_keys[static_cast<std::size_t>(place)]);
      }
      add_notes({left_out_words(node, keys)}, result);
    }
  }

  void compare(MethodContext& context) const {
    if (!fit_->report.crashed.empty()) {
      add_notes({"there are no yardsticks, as the features of nodes that crashed are gone"}, context.result);
      return;
    }
    central_kpca::Options central;
    take_shared_settings(settings_, central);
    context.result.quality_numbers["subspace_error"] =
        subspace_error_of(*fit_, std::move(central), context.options);
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
         .labels = labels_in_order(party, data_.labels_of(party.node), data_.keys[data_.place(party.node)],
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
    return fmt::format("{}{}, residual {:.1e}", text, all.answer.converged ? "converged" : "NOT converged",
                       all.answer.residual);
  }

  static ModelFile file_of(const NodeResult& node, const std::vector<std::int64_t>& columns) {
    KernelPart part = part_of(node);
    part.columns = columns;
    return {.node = node.node, .use = "shared", .answers = {{"shared", std::move(part)}}};
  }

  RunData data_;
  std::shared_ptr<Fit> fit_;
};

void add_order_rows(OptionGroup<OneshotSettings> order) {
  order
      .add("key", &OneshotSettings::key,
           "a column of csv files, by name or number, or a file of integers (keys-{node}.npy): who each "
           "sample "
           "is; the order is restored, and samples that not all nodes have are left out")
      .named("COLUMN|FILE")
      .in_short_help();
  order.add("assume-same-order", &OneshotSettings::assume_same_order,
            "shards without a key: you guarantee that all parties have the same samples in the same order");
}

void add_factor_rows(OptionGroup<OneshotSettings, Options> factors) {
  factors.add(
      "estimator", &Options::estimator,
      "product (of the nodes' kernel matrices; rbf and linear), or distances (any kernel of distances "
      "or inner products but laplacian)");
  factors
      .add("local-components", &Options::local_components, "adaptive",
           "eigenvectors that a node sends: a number, or adaptive (those that matter, see --epsilon); "
           "without a "
           "centre, adaptive: 60, or 5 more than the components")
      .at_least(1);
  factors
      .add("epsilon", &Options::epsilon, "auto",
           "adaptive: smallest eigenvalue that matters, as a share of the first; auto: 5e-4, or 0.04 for the "
           "product of the linear kernel and for distances")
      .above(0)
      .below(1);
  factors.add("no-raw-equivalent", &Options::no_raw_equivalent,
              "refuse to send as much as a node's raw features, which shows them up to a rotation");
}

OptionTable option_table() {
  OptionTable table = shared_rows(true);
  table.remove("precision");
  table.at("by").says("features: this method deals out nothing else");
  table.at("tol").says("largest residual of the eigensolvers").above(0);
  table.at("max-iter").says("most restarts of the eigensolvers");
  table.at("topology")
      .says(
          "who talks to whom, see choir topology --help; auto: a star around the centre, or, without a "
          "centre, as "
          "with gossip-pca");
  table.at("yardsticks").says("compare with kernel PCA of all features in one place");
  const auto method = [](OneshotSettings& settings) -> Options& { return settings.method; };
  add_order_rows({table, "Whose samples"});
  add_factor_rows({table, "What a node sends", method});
  OptionGroup<OneshotSettings, Options> fusion(table, "Fusion", method);
  fusion
      .add("fusion", &Options::fusion,
           "center (one message per node to one node, which alone gets the answer), tree or gossip (every "
           "node "
           "gets it)")
      .in_short_help();
  fusion.add("center", &Options::center, "the node that fuses").named("NODE").at_least(0);
  fusion
      .add("messages-per-node", &Options::messages_per_node,
           "most messages that a node sends; with --fusion gossip")
      .at_least(1);
  return table;
}

}  // namespace

const MethodInfo& method_info() {
  static const MethodInfo info = {
      .name = "oneshot-kpca",
      .about =
          "kernel PCA of parties that hold different features of the same samples, with one message per "
          "party",
      .example =
          "choir fit oneshot-kpca --data datasets/digits.npz:images --nodes 4 --divide 255 "
          "--n-components 5 --yardsticks --out runs/oneshot",
      .brings = Brings::columns,
      .kinds = {Kind::raw_samples, Kind::features, Kind::statistics, Kind::control},
      .yardsticks = "kernel PCA of all features in one place",
      .options = option_table(),
      .start = [] { return std::make_unique<OneshotRun>(); }};
  return info;
}

}  // namespace choir::oneshot_kpca
