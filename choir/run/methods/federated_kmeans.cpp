#include "choir/learn/federated_kmeans/federated_kmeans.h"

#include <numeric>

#include <fmt/format.h>

#include "choir/base/text.h"
#include "choir/learn/federated_kmeans/appraisal.h"
#include "choir/learn/federated_kmeans/central_cost.h"
#include "choir/learn/federated_kmeans/facts.h"
#include "choir/learn/federated_kmeans/noisy_options.h"
#include "choir/learn/federated_kmeans/noisy_rounds.h"
#include "choir/learn/federated_kmeans/option_rows.h"
#include "choir/learn/federated_kmeans/participation.h"
#include "choir/run/methods/methods.h"
#include "choir/run/network_method.h"

namespace choir::federated_kmeans {
namespace {

struct FederatedSettings : SettingsOf<Options> {
  bool has_server() const { return method.coordination == Coordination::server; }
};

Fault fault_of(const Silence& silence) {
  Fault fault{.at = static_cast<double>(silence.first),
              .in_rounds = true,
              .node = silence.device,
              .what = "silent",
              .words = silence_words(silence)};
  if (silence.last > silence.first) fault.until = static_cast<double>(silence.last);
  return fault;
}

Confusion confusion_of(const Comparison& comparison) {
  Confusion confusion{.rows_are = "labels",
                      .columns_are = "clusters",
                      .rows = comparison.labels,
                      .counts = comparison.counts};
  confusion.columns.resize(comparison.counts.front().size());
  std::iota(confusion.columns.begin(), confusion.columns.end(), 0);
  return confusion;
}

class FederatedRun : public NetworkMethod<FederatedSettings, Fit> {
 public:
  void check(MethodContext& context) override {
    NetworkMethod::check(context);
    if (is_private()) choose_for_privacy(context);
    validate(settings_.method);
    if (settings_.has_server() && settings_.network.topology != "auto") {
      throw Error(ErrorCategory::InvalidArgument,
                  "with a server the network is a star around it; omit --topology, or use --coordination "
                  "gossip");
    }
    const bool few_messages = !settings_.has_server() && settings_.method.messages_per_node > 0;
    if (few_messages) settings_.longer = "--messages-per-node";
    context.resolve("masks", std::string(uses_masks(settings_.method) ? "on" : "off"));
  }

  void read(MethodContext& context) override {
    read_data(context, {.without_data = settings_.has_server() ? 1 : 0, .empty_nodes = true});
  }

  Graph network(MethodContext& context) override {
    require_answers(settings_.method, data_.sizes);
    if (!settings_.has_server()) return make_network(settings_, data_.nodes, context);
    context.resolve("topology", std::string("a star around the server"));
    return star(data_.nodes);
  }

  Contract contract(const MethodContext&, const Graph& graph) override {
    return federated_kmeans::contract(
        {.nodes = graph.nodes(), .features = data_.features, .samples = sizes()}, settings_.method);
  }

  std::vector<Release> releases(Index nodes) const override {
    return noisy_releases(settings_.method, nodes);
  }

  RunReport fit(MethodContext& context, const Graph& graph) override {
    if (settings_.network.yardsticks) require_room_for_kernel_matrix(data_.samples);
    return keep(
        fit_federated_kmeans(context.engine(), graph, take_shards(), settings_.method, context.options));
  }

  void conclude(MethodContext& context, const Graph&) override {
    const auto nodes = all_findings<NodeFindings>(fit_->nodes, context, [this](const NodeResult& node) {
      return findings_of(node, data_.labels_of(node.node));
    });
    Result& result = context.result;
    add_similar_notes(notes_of(nodes), result);
    if (is_private()) {
      describe_noisy(summarise(nodes), result);
    } else {
      describe_all(nodes, context);
    }
    result.text += describe_traffic(result);
    add_common_model(fit_, data_.own.first, result, file_of);
  }

 private:
  bool is_private() const { return settings_.method.privacy.wanted(); }

  void choose_for_privacy(MethodContext& context) {
    Options& options = settings_.method;
    options = with_noisy_defaults(options, {.embedding = settings_.was_given("embedding"),
                                            .n_features = settings_.was_given("n-features"),
                                            .max_iter = settings_.was_given("max-iter")});
    context.resolve("embedding", std::string(to_string(options.embedding)));
    context.resolve("n_features", fmt::format("{}", options.n_features));
    context.resolve("max_iter", fmt::format("{}", options.max_iter));
    if (settings_.was_given("embedding")) return;
    add_notes(
        {fmt::format("--privacy: the embedding is {} ({} of them), because the landmarks of nystroem are "
                     "made of samples",
                     to_string(options.embedding), options.n_features)},
        context.result);
  }

  // Figures that samples show in are left out; who receives the model can label samples of its own.
  void describe_noisy(const Findings& all, Result& result) const {
    take_findings(all, result);
    result.facts.add(released_facts(all, settings_.method));
    result.converged.reset();
    for (const auto& node : fit_->nodes) {
      if (node) result.privacy = node->privacy;
    }
    result.text = noisy_words(all);
  }

  void describe_all(const std::vector<NodeFindings>& nodes, MethodContext& context) {
    const Findings all = summarise(nodes);
    Result& result = context.result;
    describe(all, context);
    result.text = cluster_words(all) + appraisal_words(all);
    if (const auto comparison = compare_with_labels(nodes)) describe(*comparison, result);
    context.processes.together([&] {
      if (settings_.network.yardsticks) compare_cost(context);
    });
    result.text += ending_words(all, settings_.method);
    for (const auto& node : fit_->nodes) {
      if (node && node->node < data_.nodes) add_numbers(*node, result);
    }
  }

  void describe(const Findings& all, MethodContext& context) const {
    Result& result = context.result;
    take_findings(all, result);
    result.facts.add(facts_of(all, settings_.method));
    result.assessment = assess(all, settings_.method);
    resolve_choices(all, context);
    for (const Silence& silence : all.silences) result.faults.push_back(fault_of(silence));
    result.metrics = round_facts(all);
    context.note(all.route_words);
    for (const std::string& words : {rank_words(all, settings_.method), tried_words(all)}) {
      if (!words.empty()) context.note(words);
    }
  }

  // What the run decided in place of the user.
  void resolve_choices(const Findings& all, MethodContext& context) const {
    const Options& options = settings_.method;
    if (uses_gamma(options.kernel.kind)) context.resolve("gamma", all.gamma);
    if (all.kept && !options.rank) context.resolve("rank", fmt::format("{}", all.kept->rank));
    if (!options.n_clusters) context.resolve("n_clusters", fmt::format("{}", all.cluster_sizes.size()));
  }

  static void describe(const Comparison& comparison, Result& result) {
    result.quality_numbers["nmi"] = comparison.nmi;
    result.quality_numbers["ari"] = comparison.ari;
    result.quality_numbers["accuracy"] = comparison.accuracy;
    result.confusion = confusion_of(comparison);
    result.text += comparison_words(comparison);
  }

  void compare_cost(MethodContext& context) {
    const CentralCost cost = measure_cost(*fit_, std::move(compared_), settings_.method, context.options);
    context.result.quality_numbers["cost"] = cost.cost;
    context.result.quality_numbers["cost_ratio"] = cost.ratio;
    context.result.text += cost_words(cost);
  }

  // What left the devices, and, apart from it, the server. Returns it in words.
  std::string describe_traffic(Result& result) const {
    const auto served = served_traffic(fit_->report.ledger, data_.nodes);
    if (!served) return sent_words(result);
    result.facts.add(facts_of(*served));
    return sent_words(served->by_devices, result.nodes, "device") +
           fmt::format("; by the server {}", human_bytes(static_cast<double>(served->by_server.bytes)));
  }

  // A device's clusters and, where one file was dealt out, its rows.
  void add_numbers(const NodeResult& device, Result& result) const {
    result.numbers.push_back({device.node, "labels", device.labels});
    if (data_.rows.empty()) return;
    const std::vector<Index>& rows = data_.rows[data_.place(device.node)];
    result.numbers.push_back({device.node, "rows", {rows.begin(), rows.end()}});
  }
};

OptionTable option_table() {
  OptionTable table = shared_rows(true);
  for (const char* absent : {"n-components", "max-components", "precision"}) table.remove(absent);
  table.at("tol").says("largest squared movement of all centroids, relative to the mean variance");
  table.at("max-iter")
      .says("largest number of iterations of Lloyd's algorithm; with --privacy that many, 5 by default");
  table.at("topology")
      .says(
          "who talks to whom, see choir topology --help; auto: a star around the server; without a server "
          "ring:4, or complete for fewer than 5 nodes");
  table.at("yardsticks").says("compare with kernel k-means of all samples in one place");

  add_privacy_rows(table);
  add_cluster_rows(MethodRows<FederatedSettings>(table, "Clusters"));
  add_embedding_rows(MethodRows<FederatedSettings>(table, "Embedding"));
  add_federation_rows(MethodRows<FederatedSettings>(table, "Federation"));
  return table;
}

}  // namespace

MethodInfo method_info() {
  return {.name = "federated-kmeans",
          .about =
              "kernel k-means over devices that keep their samples and answer a server with sums that it "
              "cannot tell apart",
          .example =
              "choir fit federated-kmeans --data datasets/digits.npz:images --labels "
              "datasets/digits.npz:labels --nodes 20 --divide 255 --gamma 0.02 --n-clusters 10 --out "
              "runs/clusters",
          .kinds = {Kind::raw_samples, Kind::centroids, Kind::features, Kind::coefficients,
                    Kind::own_statistics, Kind::masked, Kind::totals, Kind::control},
          .yardsticks = "kernel k-means of all samples in one place",
          .private_facts = {"embedding", "coordination", "masked", "clusters", "dimension", "cluster_sizes",
                            "sums", "sent_by_devices", "sent_by_server"},
          .options = option_table(),
          .start = [] { return std::make_unique<FederatedRun>(); }};
}

}  // namespace choir::federated_kmeans
