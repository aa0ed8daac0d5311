#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/stopwatch.h"
#include "choir/learn/agreement/agreement.h"
#include "choir/learn/gossip_pca/estimate.h"
#include "choir/learn/gossip_pca/gossip_pca.h"
#include "choir/linalg/signs.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir::gossip_pca {
namespace {

constexpr double rank_cutoff = 1e-12;  // variances below this share of the first are no components
constexpr double skew_factor = 3;      // times what chance gives
constexpr Index enough_carry = 4;      // times the components, where nodes see different things

// What happens to samples before they are summarised: the same for those of the start and those that come
// later.
struct Preparation {
  Preprocessing preprocessing;
  std::optional<FeatureMap> map;

  Matrix prepared(Samples samples) const {
    preprocessing.apply(samples);
    return map ? map->features(samples) : samples;
  }
};

// Everything that needs all nodes, if anything does: sums along a tree, which wait.
Task<Preprocessing> agree_on_preprocessing(Node& node, SamplesMap shard, const Options& options) {
  Preprocessing wish = options.preprocessing;
  if (wish.standardize != Standardize::zscore) co_return wish;
  if (options.partition == Division::coordinates) {  // a node has all there is of its rows
    wish = fit_zscore(wish.divide, feature_moments(shard));
    co_return wish;
  }
  const Preprocessing agreed = co_await agreed_preprocessing(node, wish, shard);
  co_return agreed;
}

Task<FeatureMap> agree_on_features(Node& node, Array shard, const Options& options,
                                   const Circumstances& circumstances, std::vector<std::string>& notes) {
  FeatureMap map;
  map.kernel = options.kernel;
  map.store = circumstances.store;
  if (uses_gamma(map.kernel.kind)) {
    map.kernel.gamma = co_await agreed_gamma(node, options.gamma, shard.matrix());
    if (options.gamma.rule == GammaRule::median) notes.emplace_back(median_stand_in_note);
  }
  if (options.features == FeatureKind::random_features) {
    map.random = RandomFeaturesOptions{.count = options.n_features, .seed = circumstances.feature_seed};
  } else {
    const LandmarkOptions wanted{.count = options.n_landmarks, .min_count = options.min_count};
    map.landmarks = co_await agreed_landmarks(node, shard, map.kernel, wanted);
  }
  co_return map;
}

SummaryFeed summaries_of(SampleFeed feed, Preparation preparation, const SummaryRule& rule) {
  if (!feed) return {};
  return
      [feed = std::move(feed), preparation = std::move(preparation), rule]() -> std::optional<SummaryBatch> {
        std::optional<FeedBatch> batch = feed();
        if (!batch) return std::nullopt;
        const Matrix samples = preparation.prepared(std::move(batch->samples));
        return SummaryBatch{.at = batch->at, .summary = summary_of_samples(samples, rule)};
      };
}

GossipOptions gossip_options(const Node& node, const Options& options) {
  GossipOptions gossip;
  gossip.messages = options.messages_per_node;
  gossip.mean_interval = options.interval;
  gossip.acknowledged = options.links == Delivery::acknowledged;
  if (options.schedule == Schedule::broadcast) gossip.to = Recipients::all;
  if (options.schedule != Schedule::master && options.schedule != Schedule::fast_master) return gossip;
  const Index workers = node.network_size() - 1;
  if (node.id() != 0) {
    gossip.only_to = 0;
  } else if (options.schedule == Schedule::fast_master && workers > 1) {
    gossip.messages *= workers;
    gossip.mean_interval = std::max<Duration>(gossip.mean_interval / workers, Duration(1));
  }
  return gossip;
}

// schedule = tree: two messages a node, and the same bits at all of them.
Task<void> merge_along_tree(Node& node, Estimate& estimate) {
  const Combine combine = [&estimate](const Message& mine, const Message& child) {
    return estimate.combined(mine, child);
  };
  const Message mine = estimate.everything();
  const Message agreed = co_await tree_fold(node, node.tree(), mine, combine);
  estimate.replace(agreed, node.tree().root);
}

Index components_of(const Principal& principal, const Summary& summary, const Options& options) {
  if (principal.variances.size() == 0) return 0;
  const Index significant = (principal.variances.array() > rank_cutoff * principal.variances(0)).count();
  if (!options.n_components.by_fraction()) return std::min(significant, options.n_components.count);
  const double wanted = options.n_components.fraction * summary.trace / summary.weight;
  double explained = 0;
  for (Index d = 0; d < significant; ++d) {
    explained += principal.variances(d);
    if (explained >= wanted) return d + 1;
  }
  return significant;
}

void check_components(const Options& options, NodeResult& result) {
  const Index found = result.variances.size();
  if (options.n_components.by_fraction()) {
    const double explained = result.total_variance > 0 ? result.variances.sum() / result.total_variance : 1;
    if (explained >= options.n_components.fraction) return;
    fail(ErrorCategory::InvalidArgument,
         "{} components explain {:.1f}% of the variance, not the {:.1f}% that were requested; allow more "
         "components, or ask for less",
         found, 100 * explained, 100 * options.n_components.fraction);
  }
  if (found < options.n_components.count) {
    result.notes.push_back(
        fmt::format("node {} found only {} component{} with any variance, not the {} that were requested",
                    result.node, found, found == 1 ? "" : "s", options.n_components.count));
  }
}

void describe_skew(const Summary& summary, const Options& options, NodeResult& result) {
  if (options.partition == Division::coordinates || !(summary.trace > 0)) return;
  result.between_node_variance = std::max(0.0, 1 - summary.within / summary.trace);
  const double chance = static_cast<double>(result.participants) / std::max(1.0, result.total_weight);
  const Index carry = carried_directions(options);
  if (result.between_node_variance <= skew_factor * chance || options.merge != MergeRule::gram) return;
  if (carry >= enough_carry * result.variances.size()) return;
  result.notes.push_back(fmt::format(
      "the nodes' data differ: {:.1f}% of the variance lies between the nodes' means, where chance gives "
      "{:.1f}%; carry {} may lose some of it, {} is safe",
      100 * result.between_node_variance, 100 * chance, carry, enough_carry * result.variances.size()));
}

// U_i = Z_i V (D l)^-1/2
Matrix loadings_of(SamplesMap rows, const Vector& mean, const NodeResult& result) {
  const Vector scatter = result.variances * result.total_weight;
  return (rows.colwise() - mean) * result.directions * scatter.cwiseSqrt().cwiseInverse().asDiagonal();
}

void read_estimate(const Estimate& estimate, const Options& options, NodeResult& result) {
  const Summary& summary = estimate.summary();
  estimate.describe(result);
  Principal principal = principal_of(summary, estimate.rule(), most_components(options));
  const Index q = components_of(principal, summary, options);
  result.directions = principal.directions.leftCols(q);
  if (q > 0) fix_signs<double>(result.directions);
  result.variances = principal.variances.head(q);
  result.mean = std::move(principal.mean);
  if (summary.weight > 0) result.total_variance = summary.trace / summary.weight;
  result.total_weight = static_cast<double>(result.participants) * summary.weight / summary.nodes;
  result.samples = options.partition == Division::samples
                       ? static_cast<Index>(std::llround(result.total_weight))
                       : estimate.summary().dimension();
  check_components(options, result);
  describe_skew(summary, options, result);
}

}  // namespace

Task<NodeResult> node_program(Node& node, Shard shard, SampleFeed feed, Options options,
                              Circumstances circumstances) {
  const Stopwatch clock;
  NodeResult result;
  result.node = node.id();
  result.division = options.partition;
  const SummaryRule rule = rule_of(options);
  Preparation preparation;
  preparation.preprocessing = co_await agree_on_preprocessing(node, shard.samples(), options);
  shard.preprocess(preparation.preprocessing);
  const Array samples = std::move(shard).share();
  if (options.features != FeatureKind::none) {
    preparation.map = co_await agree_on_features(node, samples, options, circumstances, result.notes);
  }
  result.preprocessing = preparation.preprocessing;
  result.map = preparation.map;
  const Array features = preparation.map ? Array(preparation.map->features(samples.matrix())) : samples;
  const SamplesMap mine = features.matrix();
  const bool coordinates = options.partition == Division::coordinates;
  Summary own = coordinates ? summary_of_rows(mine, rule) : summary_of_samples(mine, rule);
  Estimate estimate(node, std::move(own), rule, options, circumstances,
                    summaries_of(std::move(feed), preparation, rule));
  if (options.schedule == Schedule::tree) {
    co_await merge_along_tree(node, estimate);
  } else {
    const GossipOptions how = gossip_options(node, options);
    result.counts = co_await gossip(node, estimate, how);
  }
  read_estimate(estimate, options, result);
  if (coordinates) {
    result.mean = mine.rowwise().mean();
    result.loadings = loadings_of(mine, result.mean, result);
  } else if (preparation.map && preparation.map->random) {
    const Matrix scores = (mine.colwise() - result.mean).transpose() * result.directions;
    result.regression = regress_samples(samples.matrix(), scores);
  }
  result.seconds = clock.seconds();
  co_return result;
}

}  // namespace choir::gossip_pca
