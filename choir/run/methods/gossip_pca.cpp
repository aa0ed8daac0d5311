#include "choir/learn/gossip_pca/gossip_pca.h"

#include <algorithm>

#include <fmt/format.h>

#include "choir/learn/gossip_pca/exposure.h"
#include "choir/learn/gossip_pca/facts.h"
#include "choir/learn/gossip_pca/models.h"
#include "choir/learn/gossip_pca/option_rows.h"
#include "choir/learn/gossip_pca/private_options.h"
#include "choir/learn/gossip_pca/quality.h"
#include "choir/run/methods/methods.h"
#include "choir/run/network_method.h"
#include "choir/run/unused_options.h"

namespace choir {

template <>
struct OptionType<gossip_pca::Stream> : ParsedOption<gossip_pca::Stream, gossip_pca::parse_stream> {
  static constexpr const char* unit = "N@TIME";
  static std::string print(const gossip_pca::Stream& value) {
    return fmt::format("{}@{}", value.count, duration_text(value.interval));
  }
};

namespace gossip_pca {
namespace {

struct GossipSettings : SettingsOf<Options> {
  std::optional<FeatureKind> features = {};
  std::optional<Stream> stream = {};

  GossipSettings() {
    kernel.kernel = method.kernel.kind;
    network.lost_peers = LostPeers::proceed;  // nobody waits for anybody
    longer = "--messages-per-node";
  }
};

class GossipRun : public NetworkMethod<GossipSettings, Fit> {
 public:
  bool take(const std::any& options) override {
    if (!NetworkMethod::take(options)) return false;
    settings_.features = settings_.method.features;
    return true;
  }

  void check(MethodContext& context) override {
    NetworkMethod::check(context);
    Options& method = settings_.method;
    method.features = settings_.features.value_or(default_features(method.kernel));
    if (method.privacy.wanted()) choose_private(context);
    require_fitting(method, {.by_features = settings_.data.by == "features",
                             .yardsticks = settings_.network.yardsticks,
                             .stream = settings_.stream.has_value()});
    validate(method);
    context.resolve("features", std::string(to_string(method.features)));
    if (!has_samples()) context.resolve("by", "features");
  }

  void read(MethodContext& context) override {
    read_data(context,
              {.division = settings_.method.partition, .in_file_order = settings_.stream.has_value()});
  }

  Graph network(MethodContext& context) override {
    const Schedule schedule = settings_.method.schedule;
    const bool has_master = schedule == Schedule::master || schedule == Schedule::fast_master;
    return make_network(settings_, data_.nodes, context, has_master ? "star" : gossip_topology(data_.nodes));
  }

  Contract contract(const MethodContext&, const Graph& graph) override {
    return gossip_pca::contract(
        {.graph = graph, .features = has_samples() ? data_.features : data_.samples, .samples = sizes()},
        settings_.method);
  }

  std::vector<std::string> exposes() const override {
    if (data_.nodes == 1 || settings_.method.privacy.wanted()) return {};
    std::vector<Index> sizes = data_.sizes;
    if (settings_.stream) {
      for (Index& size : sizes) size = std::min(size, settings_.stream->count);  // what a node starts with
    }
    const std::string words =
        exposure_words(sizes, {.carry = carried_directions(settings_.method),
                               .dimension = has_samples() ? data_.features : data_.samples,
                               .partition = settings_.method.partition});
    return words.empty() ? std::vector<std::string>() : std::vector<std::string>{words};
  }

  std::vector<Release> releases(Index nodes) const override {
    return privacy_report(settings_.method, nodes).releases;
  }

  RunReport fit(MethodContext& context, const Graph& graph) override {
    std::vector<Samples> shards = take_shards();
    std::vector<SampleFeed> feeds;
    if (settings_.stream) feeds = feeds_of(shards, *settings_.stream);
    return keep(fit_gossip_pca(context.engine(), graph, std::move(shards), settings_.method, context.options,
                               std::move(feeds), {.keep_iterates = settings_.network.yardsticks}));
  }

  void conclude(MethodContext& context, const Graph&) override {
    const auto nodes = all_findings<NodeFindings>(fit_->nodes, context);
    Result& result = context.result;
    context.processes.together([&] {
      describe(nodes, context);
      std::optional<Quality> quality;
      if (settings_.network.yardsticks) quality = compare(result);
      for (const NodeFindings& node : nodes) {
        const std::vector<Facts> lines = window_facts(node, quality);
        result.metrics.insert(result.metrics.end(), lines.begin(), lines.end());
      }
      result.text = words(quality, result);
    });
    add_part_models(fit_, data_, result, file_of);
  }

 private:
  bool has_samples() const { return settings_.method.partition == Division::samples; }

  void choose_private(MethodContext& context) {
    refuse_unused(settings_,
                  {"schedule", "links", "messages-per-node", "interval", "window", "merge", "tol", "carry",
                   "max-t", "ritz-values"},
                  "--privacy", "sums with noise take the place of gossip");
    refuse_unused(settings_, {"min-count"}, "--privacy", "landmarks are drawn, and no means of samples");
    if (!settings_.was_given("n-landmarks")) settings_.method.n_landmarks = default_private_landmarks;
    if (settings_.was_given("lost-peers")) return;
    settings_.network.lost_peers = LostPeers::fail;  // a lost node's noise would be missing
    context.options.lost_peers = LostPeers::fail;
  }

  void describe(const std::vector<NodeFindings>& nodes, MethodContext& context) {
    const Options& method = settings_.method;
    Result& result = context.result;
    const Findings all =
        summarise(nodes, data_.nodes,
                  whole_weight(method, data_.nodes, has_samples() ? data_.samples : data_.features));
    if (method.privacy.wanted()) {
      describe_private(all, context);
      add_similar_notes(notes_of(nodes), result);
      return;
    }
    take_findings(all, result);
    if (method.tol == 0) result.converged.reset();  // a run of fixed length
    result.iterations = all.messages;
    gossiped_ = did_gossip(all) || data_.nodes == 1;
    result.facts.add(
        facts_of(all, method, data_.nodes,
                 gossiped_ ? all.messages_per_node : tree_messages_per_node(result.ledger, data_.nodes)));
    result.what_helps = advice_words(all, data_.nodes, carried_directions(method));
    add_notes({participants_words(all), mass_words(all, data_.nodes), refinement_words(all)}, result);
    add_similar_notes(notes_of(nodes), result);
    if (method.features != FeatureKind::none && uses_gamma(method.kernel.kind))
      context.resolve("gamma", nodes.front().gamma);
  }

  void describe_private(const Findings& all, MethodContext& context) {
    const Options& method = settings_.method;
    Result& result = context.result;
    take_released_findings(all, result);
    result.privacy = privacy_report(method, data_.nodes);
    gossiped_ = data_.nodes == 1;
    result.facts.add(released_facts(method, tree_messages_per_node(result.ledger, data_.nodes)));
    if (method.features != FeatureKind::none) context.resolve("gamma", method.gamma.value);
  }

  Quality compare(Result& result) {
    Quality quality = measure_quality(*fit_, std::move(compared_), settings_.method);
    result.quality_numbers.merge(numbers_of(quality, settings_.method.partition));
    return quality;
  }

  std::string words(const std::optional<Quality>& quality, const Result& result) const {
    std::string text = component_table(result) + "\n\n";
    if (quality) text += quality_words(*quality, settings_.method.partition, result.n_components) + "\n\n";
    return fmt::format(
        "{}{}\n{}", text, sent_words(result),
        ending_words(result.converged, result.facts.at("messages_per_node").number(), gossiped_));
  }

  bool gossiped_ = false;
};

OptionTable option_table() {
  OptionTable table = shared_rows(true);
  table.remove("max-iter");
  table.remove("precision");
  describe_shared_rows(table);
  table.at("topology")
      .says(fmt::format("who talks to whom, see choir topology --help; auto: complete; a star with a master; "
                        "a random graph with {} links per node for more than {} nodes",
                        gossip_degree, largest_complete));
  add_partition_rows(MethodRows<GossipSettings>(table, "What the nodes have"));
  OptionGroup<GossipSettings>(table, "What the nodes have")
      .add("stream", &GossipSettings::stream, "none",
           "samples that arrive during the run: with 50@100ms a node starts with 50 samples of its shard and "
           "gets 50 more every 100 ms, in the order of the file");
  add_sending_rows(MethodRows<GossipSettings>(table, "Gossip"));
  add_merging_rows(MethodRows<GossipSettings>(table, "Merging"));
  OptionGroup<GossipSettings>(table, "Features of a kernel")
      .add("features", &GossipSettings::features, "auto",
           "none, landmarks (means of several samples each) or random-features (from a seed alone); auto: "
           "none for the linear kernel, landmarks for the others");
  add_feature_rows(MethodRows<GossipSettings>(table, "Features of a kernel"));
  table.at("n-landmarks").says("number of landmarks, all nodes together; with --privacy 100 unless given");
  add_privacy_rows(table);
  return table;
}

}  // namespace

MethodInfo method_info() {
  return {
      .name = "gossip-pca",
      .about =
          "PCA or kernel PCA of all nodes' data by gossip: no node waits, messages may be lost, nodes may "
          "die",
      .example =
          "choir fit gossip-pca --data datasets/digits.npz:images --nodes 20 --n-components 10 --yardsticks "
          "--out runs/gossip",
      .kinds = {Kind::raw_samples, Kind::centroids, Kind::own_statistics, Kind::masked, Kind::totals,
                Kind::control},
      .yardsticks = "PCA of all samples in one place",
      .private_facts = {"partition", "feature_map", "messages_per_node"},
      .options = option_table(),
      .start = [] { return std::make_unique<GossipRun>(); }};
}

}  // namespace gossip_pca
}  // namespace choir
