#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "choir/base/stopwatch.h"
#include "choir/learn/agreement/agreement.h"
#include "choir/learn/features/appraisal.h"
#include "choir/learn/gossip_pca/estimate.h"
#include "choir/learn/gossip_pca/gossip_pca.h"
#include "choir/learn/gossip_pca/private_program.h"
#include "choir/learn/gossip_pca/reading.h"
#include "choir/learn/gossip_pca/refinement.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir::gossip_pca {
namespace {

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
    wish = fit_zscore(wish, feature_moments(shard));
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
    const LandmarkOptions wanted{
        .count = options.n_landmarks, .min_count = options.min_count, .summed = true};
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

GossipOptions gossip_options(const Node& node, const Options& options, bool more_follows) {
  GossipOptions gossip;
  gossip.messages = *options.messages_per_node;
  gossip.more_follows = more_follows;
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

// A run of fixed length ends as it is; what keeps changing cannot be summed up.
bool refines(const Options& options, const Circumstances& circumstances) {
  return options.tol > 0 && !options.half_life && !circumstances.samples_arrive;
}

RefinementRule refinement_rule(const Options& options, Index dimension) {
  const Index kept = std::min(most_components(options), dimension);
  return {.components = options.n_components,
          .kept = kept,
          .width = std::min(carried_directions(options), dimension),
          .tol = options.tol,
          .centred = options.partition == Division::samples,
          .appraised = options.features != FeatureKind::none};
}

RefinementStart start_of(const Estimate& estimate, Index width) {
  const Index dimension = estimate.summary().dimension();
  Principal principal = principal_of(estimate.summary(), estimate.rule(), width);
  RefinementStart start{.directions = std::move(principal.directions), .origin = std::move(principal.mean)};
  if (start.directions.size() == 0) start.directions.resize(dimension, 0);
  if (start.origin.size() == 0) start.origin.setZero(dimension);
  return start;
}

// The columns that the summary is about.
Array columns_of(const Array& features, Division division) {
  if (division == Division::samples) return features;
  const SamplesMap rows = features.matrix();
  return Array(Matrix((rows.colwise() - rows.rowwise().mean()).transpose()));
}

OwnColumns own_columns(const Array& features, const Array& samples, const std::optional<FeatureMap>& map,
                       Division division) {
  OwnColumns own{.columns = columns_of(features, division)};
  if (map) own.kernel = KernelForm{.map = *map, .samples = samples};
  return own;
}

// By gossip, or along the tree: what the estimate becomes, and the messages that it took.
Task<GossipCounts> spread(Node& node, Estimate& estimate, const Options& options, bool more_follows) {
  GossipCounts counts;
  if (options.schedule == Schedule::tree) {
    co_await merge_along_tree(node, estimate);
  } else {
    const GossipOptions how = gossip_options(node, options, more_follows);
    counts = co_await gossip(node, estimate, how);
  }
  co_return counts;
}

// Sums first where they are no more than gossip would send, and gossip where somebody is missing; otherwise
// gossip, whose answer is then refined. Nothing: what the estimate holds is the answer.
Task<std::optional<Refined>> find_together(Node& node, Estimate& estimate, OwnColumns own, Options options,
                                           GossipCounts& counts) {
  const RefinementRule rule = refinement_rule(options, estimate.summary().dimension());
  const bool tree = options.schedule == Schedule::tree;
  std::optional<Refined> refined;
  const bool sums_first = rule.sums_whole_scatter(estimate.summary().dimension());
  if (sums_first) {
    RefinementStart start = start_of(estimate, rule.width);
    Patience patience{.brief = !tree};
    refined = co_await refine(node, own, std::move(start), rule, std::move(patience));
    if (refined) co_return refined;
  }
  counts = co_await spread(node, estimate, options, true);
  if (sums_first && tree) co_return std::nullopt;  // who was missing then is missing now
  RefinementStart start = start_of(estimate, rule.width);
  Patience patience{.silent = counts.given_up};
  refined = co_await refine(node, own, std::move(start), rule, std::move(patience));
  co_return refined;
}

// Kernels that are no inner products: what landmarks leave out of theirs. The root says it for all.
void note_negative_share(const Node& node, const FeatureMap& map, NodeResult& result) {
  if (!map.landmarks || is_inner_product(map.kernel) || node.id() != node.tree().root) return;
  result.notes.push_back(words_of_negative_part(map.kernel, map.landmarks->points.matrix()));
}

}  // namespace

Task<NodeResult> node_program(Node& node, Shard shard, SampleFeed feed, Options options,
                              Circumstances circumstances) {
  if (options.privacy.wanted()) {
    co_return co_await private_pca(node, std::move(shard), std::move(options), std::move(circumstances));
  }
  const Stopwatch clock;
  NodeResult result;
  result.node = node.id();
  result.division = options.partition;
  if (!options.messages_per_node) {
    options.messages_per_node = enough_messages(options, node.network_size(), circumstances.mixing);
  }
  const SummaryRule rule = rule_of(options);
  Preparation preparation;
  preparation.preprocessing = co_await agree_on_preprocessing(node, shard.samples(), options);
  shard.preprocess(preparation.preprocessing);
  const Array samples = std::move(shard).share();
  if (options.features != FeatureKind::none) {
    preparation.map = co_await agree_on_features(node, samples, options, circumstances, result.notes);
    note_negative_share(node, *preparation.map, result);
  }
  result.preprocessing = preparation.preprocessing;
  result.map = preparation.map;
  const Array features = preparation.map ? Array(preparation.map->features(samples.matrix())) : samples;
  const SamplesMap mine = features.matrix();
  const bool coordinates = options.partition == Division::coordinates;
  Summary own = coordinates ? summary_of_rows(mine, rule) : summary_of_samples(mine, rule);
  Estimate estimate(node, std::move(own), rule, options, circumstances,
                    summaries_of(std::move(feed), preparation, rule));
  const OwnColumns columns = own_columns(features, samples, preparation.map, options.partition);
  if (refines(options, circumstances)) {
    const std::optional<Refined> refined =
        co_await find_together(node, estimate, columns, options, result.counts);
    read_estimate(estimate, options, result);
    if (refined) {
      read_refined(*refined, options, result);
      result.participants = node.network_size();
    } else {
      read_unrefined(options, result);
    }
  } else {
    result.counts = co_await spread(node, estimate, options, false);
    read_estimate(estimate, options, result);
    if (columns.kernel) doubt_features(*columns.kernel, mine, options, result);
  }
  check_answer(options, result);
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
