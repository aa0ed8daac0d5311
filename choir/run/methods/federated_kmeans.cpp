#include "choir/learn/federated_kmeans/federated_kmeans.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/text.h"
#include "choir/learn/federated_kmeans/central_cost.h"
#include "choir/learn/federated_kmeans/findings.h"
#include "choir/learn/federated_kmeans/participation.h"
#include "choir/run/methods/methods.h"
#include "choir/run/network.h"
#include "choir/run/node_findings.h"
#include "choir/run/shards.h"
#include "choir/run/words.h"

namespace choir::federated_kmeans {
namespace {

struct FederatedSettings : Settings {
  Options method = {};

  FederatedSettings() {
    components.tol = method.tol;
    components.max_iter = method.max_iter;
  }
  bool has_server() const { return method.coordination == Coordination::server; }
};

Fault fault_of(const Silence& silence) {
  const bool once = silence.first == silence.last;
  Fault fault{.at = static_cast<double>(silence.first),
              .in_rounds = true,
              .node = silence.device,
              .what = "silent",
              .words = fmt::format("Device {} was silent in {}, which {} formed without it.", silence.device,
                                   once ? fmt::format("sum {}", silence.first)
                                        : fmt::format("sums {} to {}", silence.first, silence.last),
                                   once ? "was" : "were")};
  if (!once) fault.until = static_cast<double>(silence.last);
  return fault;
}

Facts facts_of(const Traffic& traffic) {
  return Facts().set("messages", traffic.messages).set("bytes", traffic.bytes);
}

// Sizes of the clusters, how good they are, who answered, and what left a device.
std::string words(const Result& result, const Findings& all, const ServedTraffic* served, bool masked) {
  const auto& quality = result.quality_numbers;
  std::string text = fmt::format("{} clusters of {} samples; inertia {:.6g}\n", all.cluster_sizes.size(),
                                 fmt::join(all.cluster_sizes, ", "), all.inertia);
  if (quality.contains("nmi")) {
    text += fmt::format(
        "against the labels: mutual information {:.4f}, adjusted Rand index {:.4f}, accuracy {:.4f}\n",
        quality.at("nmi"), quality.at("ari"), quality.at("accuracy"));
  }
  if (quality.contains("cost_ratio")) {
    text += fmt::format("against kernel k-means of all samples in one place: {:.5f} of its cost\n",
                        quality.at("cost_ratio"));
  }
  text += served ? fmt::format("{} sums, {}; ", all.rounds.size(), masked ? "masked" : "not masked")
                 : "no server; ";
  if (served && all.most_silent > 0) text += fmt::format("up to {} devices silent; ", all.most_silent);
  if (served && all.most_refused > 0) text += fmt::format("{} refused; ", all.most_refused);
  text +=
      fmt::format("{} after {} iterations\n", all.converged ? "converged" : "NOT converged", all.iterations);
  if (!served) return text + sent_words(result);
  return text + sent_words(served->by_devices, result.nodes, "device") +
         fmt::format("; by the server {}", human_bytes(static_cast<double>(served->by_server.bytes)));
}

class FederatedRun : public MethodOf<FederatedSettings> {
 public:
  void check(MethodContext& context) override {
    check_network_settings(settings_, context);
    take_shared_settings(settings_, settings_.method);
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
    data_ = read_shards(settings_, context, {.without_data = settings_.has_server() ? 1 : 0});
  }

  Graph network(MethodContext& context) override {
    require_answers(settings_.method, data_.sizes);
    if (!settings_.has_server()) return make_network(settings_, data_.nodes, context);
    context.resolve("topology", std::string("a star around the server"));
    return star(data_.nodes);
  }

  Contract contract(const MethodContext&, const Graph& graph) override {
    return federated_kmeans::contract(
        {.nodes = graph.nodes(),
         .features = data_.features,
         .samples = [this](NodeId node) { return node < data_.nodes ? data_.size_of(node) : 0; }},
        settings_.method);
  }

  RunReport fit(MethodContext& context, const Graph& graph) override {
    if (settings_.network.yardsticks) {
      require_room_for_kernel_matrix(data_.samples);
      compared_ = data_.shards;
    }
    fit_ = std::make_shared<Fit>(fit_federated_kmeans(context.engine(), graph, std::move(data_.shards),
                                                      settings_.method, context.options));
    return fit_->report;
  }

  void conclude(MethodContext& context, const Graph&) override {
    const auto nodes = all_findings<NodeFindings>(fit_->nodes, context, [this](const auto& node) {
      return findings_of(node, node.node < data_.nodes ? data_.labels_of(node.node) : no_labels_);
    });
    const Findings all = summarise(nodes);
    const auto served = served_traffic(fit_->report.ledger, data_.nodes);
    describe(all, served ? &*served : nullptr, context);
    add_similar_notes(notes_of(nodes), context.result);
    describe_comparison(compare_with_labels(nodes), context.result);
    context.processes.together([&] {
      if (!settings_.network.yardsticks) return;
      const auto [cost, ratio] = measure_cost(*fit_, std::move(compared_), settings_.method, context.options);
      context.result.quality_numbers["cost"] = cost;
      context.result.quality_numbers["cost_ratio"] = ratio;
    });
    for (const auto& node : fit_->nodes) {
      if (node) keep(*node, context.result);
    }
    context.result.text =
        words(context.result, all, served ? &*served : nullptr, uses_masks(settings_.method));
  }

 private:
  void describe(const Findings& all, const ServedTraffic* served, MethodContext& context) const {
    Result& result = context.result;
    result.iterations = all.iterations;
    result.converged = all.converged;
    result.change = all.change;
    result.iterate_seconds = all.seconds;
    result.facts.set("embedding", to_string(settings_.method.embedding))
        .set("coordination", to_string(settings_.method.coordination))
        .set("masked", uses_masks(settings_.method))
        .set("clusters", settings_.method.n_clusters)
        .set("dimension", all.dimension)
        .set("eigen_route", to_string(all.route))
        .set("eigen_route_words", all.route_words)
        .set("cluster_sizes", all.cluster_sizes)
        .set("inertia", all.inertia)
        .set("sums", all.rounds.size())
        .set("most_silent", all.most_silent)
        .set("most_refused", all.most_refused);
    if (served) {
      Facts by_kind;
      for (const auto& [kind, traffic] : served->by_devices)
        by_kind.set(std::string(to_string(kind)), facts_of(traffic));
      result.facts.set("sent_by_devices", by_kind).set("sent_by_server", facts_of(served->by_server));
    }
    for (const Silence& silence : all.silences) result.faults.push_back(fault_of(silence));
    for (const Round& round : all.rounds) {
      result.metrics.push_back(Facts()
                                   .set("round", result.metrics.size() + 1)
                                   .set("what", round.what)
                                   .set("answered", round.answered)
                                   .set("silent", round.silent.size())
                                   .set("refused", round.refused)
                                   .set("samples", round.samples)
                                   .set("attempts", round.attempts));
    }
    if (uses_gamma(settings_.method.kernel.kind)) context.resolve("gamma", all.gamma);
    context.note(all.route_words);
  }

  static void describe_comparison(const std::optional<Comparison>& comparison, Result& result) {
    if (!comparison) return;
    result.quality_numbers["nmi"] = comparison->nmi;
    result.quality_numbers["ari"] = comparison->ari;
    result.quality_numbers["accuracy"] = comparison->accuracy;
    Confusion confusion{.rows_are = "labels",
                        .columns_are = "clusters",
                        .rows = comparison->labels,
                        .counts = comparison->counts};
    for (std::size_t k = 0; k < comparison->counts.front().size(); ++k)
      confusion.columns.push_back(static_cast<std::int64_t>(k));
    result.confusion = std::move(confusion);
  }

  // The model of any node; of a device also its clusters and, where one file was dealt out, its rows.
  void keep(const NodeResult& node, Result& result) const {
    result.models.push_back(
        {node.node, [fit = fit_, &node] {
           return ModelFile{.node = node.node, .use = "shared", .answers = {{"shared", node.model}}};
         }});
    if (node.node >= data_.nodes) return;
    result.numbers.push_back({node.node, "labels", node.labels});
    if (data_.rows.empty()) return;
    const std::vector<Index>& rows = data_.rows[data_.place(node.node)];
    result.numbers.push_back({node.node, "rows", {rows.begin(), rows.end()}});
  }

  RunData data_;
  std::vector<Samples> compared_;              // the samples once more, for the yardsticks
  const std::vector<std::int64_t> no_labels_;  // of the server
  std::shared_ptr<Fit> fit_;
};

OptionTable option_table() {
  OptionTable table = shared_rows(true);
  for (const char* absent : {"n-components", "max-components", "precision"}) table.remove(absent);
  table.at("tol").says("largest squared movement of all centroids, relative to the mean variance");
  table.at("max-iter").says("most iterations of Lloyd's algorithm");
  table.at("topology")
      .says(
          "who talks to whom, see choir topology --help; auto: a star around the server; without a server "
          "ring:4, "
          "or complete for fewer than 5 nodes");
  table.at("yardsticks").says("compare with kernel k-means of all samples in one place");
  const auto method = [](FederatedSettings& settings) -> Options& { return settings.method; };

  OptionGroup<FederatedSettings, Options> clusters(table, "Clusters", method);
  clusters.add("n-clusters", &Options::n_clusters, "number of clusters").at_least(1).in_short_help();
  clusters.add("seeding", &Options::seeding,
               "centroids (k-means++ on what devices publish) or parallel (k-means||: devices send embedded "
               "samples; not with masks)");
  clusters.add("restarts", &Options::restarts, "number of k-means restarts; the best is kept").at_least(1);
  clusters.add("min-count", &Options::min_count, "samples behind every published centroid").at_least(1);
  clusters
      .add("local-centroids", &Options::local_centroids,
           "most centroids that a device publishes; 0: as many as the landmarks and clusters need")
      .at_least(0);

  OptionGroup<FederatedSettings, Options> embedding(table, "Embedding", method);
  embedding
      .add("embedding", &Options::embedding,
           "nystroem (landmarks made of the devices' centroids), fea (random features, drawn anew in every "
           "iteration) or random-features")
      .in_short_help();
  embedding.add("rank", &Options::rank, "numbers per embedded sample; 0: twice the number of clusters")
      .at_least(0);
  embedding.add("n-landmarks", &Options::n_landmarks, "number of landmarks of nystroem").at_least(1);
  embedding.add("n-features", &Options::n_features, "number of features of fea and random-features")
      .at_least(1);
  embedding.add("fea-iterations", &Options::fea_iterations, "number of iterations of fea").at_least(1);
  embedding.add("eigen-route", &Options::eigen_route,
                "how eigenvectors of the devices' sum are found: gram (the sum is sent), cela (Lanczos), "
                "capped-cela (a few Lanczos steps), or cheapest, by the numbers sent");

  OptionGroup<FederatedSettings, Options> federation(table, "Federation", method);
  federation
      .add("coordination", &Options::coordination,
           "server (a node of its own beside the devices, which sees only sums) or gossip (no server, any "
           "network)")
      .in_short_help();
  federation
      .add(
          "masks", &Options::masks,
          "on: devices hide their sums from the server behind masks that cancel; off; auto: on with a server")
      .in_short_help();
  federation.add("min-devices", &Options::min_devices, "fewest answers that a sum may be of").at_least(2);
  federation.add("patience", &Options::patience, "deadline",
                 "how long the server waits for an answer before it continues without the device");
  federation
      .add("messages-per-node", &Options::messages_per_node,
           "messages per node and sum, without a server; 0: until all nodes agree")
      .at_least(0);
  return table;
}

}  // namespace

const MethodInfo& method_info() {
  static const MethodInfo info = {
      .name = "federated-kmeans",
      .about =
          "kernel k-means over devices that keep their samples and answer a server with sums that it "
          "cannot tell apart",
      .example =
          "choir fit federated-kmeans --data datasets/digits.npz:images --labels "
          "datasets/digits.npz:labels --nodes 20 --divide 255 --gamma 0.02 --n-clusters 10 --out "
          "runs/clusters",
      .kinds = {Kind::raw_samples, Kind::centroids, Kind::features, Kind::coefficients, Kind::statistics,
                Kind::control},
      .yardsticks = "kernel k-means of all samples in one place",
      .options = option_table(),
      .start = [] { return std::make_unique<FederatedRun>(); }};
  return info;
}

}  // namespace choir::federated_kmeans
