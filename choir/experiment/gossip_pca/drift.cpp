// Streams: samples keep coming while their subspace turns by 90 degrees; with and without forgetting.
#include <cmath>

#include <fmt/format.h>

#include "choir/experiment/gossip_pca/convergence.h"
#include "choir/experiment/gossip_pca/experiments.h"
#include "choir/experiment/gossip_pca/turning_stream.h"
#include "choir/experiment/steps.h"
#include "choir/graph/topology.h"

namespace choir {
namespace {

constexpr const char* quantity = "subspace error";

// Nothing: for ever.
std::string name_of(std::optional<Index> half_life) {
  return half_life ? fmt::format("half-life {} messages", *half_life) : "nothing is forgotten";
}

std::string in_one_place(const std::string& name) { return name + ", in one place"; }

// 1 - ||V'U||_F^2 / q
double subspace_error(const Principal& answer, const Matrix& truth) {
  return 1 - (truth.transpose() * answer.directions).squaredNorm() / static_cast<double>(truth.cols());
}

class Watched {
 public:
  Watched(const ExperimentOptions& options, const StreamSpec& spec, std::uint64_t seed)
      : options_(options), spec_(spec), stream_(spec, seed), seed_(seed) {
    for (Index point = 0; point <= spec.batches; point += spec.batches / 15) {
      points_.push_back(static_cast<double>(point));
    }
  }

  void gossip(std::optional<Index> half_life, Measurements& seen) const {
    GossipMethod method = default_gossip(spec_.components);
    method.options.messages = 1;  // after the last samples; the stream is what counts here
    method.options.mean_interval = spec_.interval;
    if (half_life) method.options.half_life = *half_life * spec_.interval;
    const SummaryRule rule = rule_of(method.options);
    const auto look = [&](const TraceMoment& now) {
      double sum = 0;
      for (const auto& node : now.nodes) {
        const Principal answer = principal_of(*node, rule, spec_.components);
        sum += subspace_error(answer, stream_.directions(now.time.time_since_epoch()));
      }
      seen.add(fmt::format("{}", now.messages), name_of(half_life), quantity,
               sum / static_cast<double>(spec_.nodes));
    };
    GossipTrace trace({.nodes = spec_.nodes, .points = points_, .look = look});
    method.options.observe = trace.observer();
    GossipNetwork network{
        .graph = make_topology("complete", spec_.nodes, seed_), .shards = {}, .seed = seed_};
    std::vector<SampleFeed> feeds;
    for (NodeId node = 0; node < spec_.nodes; ++node) {
      network.shards.push_back(stream_.batch(node, 0));
      feeds.push_back(stream_.feed(node));
    }
    run_gossip(network, method.options, swift_network(), quiet(options_), std::move(feeds));
    trace.finish();
  }

  // The same samples, as they come, fading alike, where there is no network.
  void central(std::optional<Index> half_life, Measurements& seen) const {
    const SummaryRule rule{.merge = gossip_pca::MergeRule::late};
    Rng unused(seed_, Purpose("gossip-experiment-central"));
    Summary all = summary_of_samples(Matrix(spec_.features, 0), rule);
    std::size_t next = 0;
    for (Index number = 0; number <= spec_.batches; ++number) {
      if (half_life) scale(all, std::exp2(-1.0 / static_cast<double>(*half_life)));
      for (NodeId node = 0; node < spec_.nodes; ++node) {
        merge(all, summary_of_samples(stream_.batch(node, number), rule), rule, unused);
      }
      if (next == points_.size() || static_cast<double>(number) != points_[next]) continue;
      seen.add(fmt::format("{}", points_[next++]), in_one_place(name_of(half_life)), quantity,
               subspace_error(principal_of(all, rule, spec_.components),
                              stream_.directions(number * spec_.interval)));
    }
  }

 private:
  const ExperimentOptions& options_;
  StreamSpec spec_;
  TurningStream stream_;
  std::uint64_t seed_;
  std::vector<double> points_;
};

std::vector<std::optional<Index>> half_lives_of(const ExperimentOptions& options) {
  if (options.quick) return {std::nullopt, 10};
  return {std::nullopt, 5, 20, 80};
}

LineChart chart_of(const Measurements& seen, const ExperimentOptions& options) {
  LineChart chart{.title = "gossip-pca/drift: a subspace that turns by 90 degrees",
                  .x = {.title = "messages a node = batches that have come to it"},
                  .y = {.title = "subspace error to the current subspace", .logarithmic = true},
                  .series = {}};
  for (const auto& half_life : half_lives_of(options)) {
    chart.series.push_back(seen.line(name_of(half_life), quantity));
  }
  for (const auto& half_life : half_lives_of(options)) {
    if (!half_life || *half_life > 20) continue;  // lies on the line without forgetting, or on gossip's
    chart.series.push_back(seen.line(in_one_place(name_of(half_life)), quantity, SeriesStyle::dashed));
  }
  return chart;
}

}  // namespace

ExperimentResult gossip_pca_drift(const ExperimentOptions& options) {
  StreamSpec spec;
  if (options.quick) {
    spec.nodes = 8;
    spec.features = 20;
    spec.batches = 60;
  }
  const Index seeds = repetitions(options);
  const auto half_lives = half_lives_of(options);
  Steps steps(options.watch, "gossip-pca/drift", half_lives.size() * static_cast<std::size_t>(seeds));
  Measurements seen("messages a node");
  for (Index seed = 0; seed < seeds; ++seed) {
    const Watched watched(options, spec, static_cast<std::uint64_t>(seed));
    for (const auto& half_life : half_lives) {
      watched.gossip(half_life, seen);
      watched.central(half_life, seen);
      steps.next();
    }
  }
  return {.table = seen.table(),
          .summaries = {seen.summary(quantity)},
          .pictures = {{"", chart_of(seen, options)}},
          .notes = {
              "subspace error: 1 - ||V'U||^2 / q, V the subspace that samples are drawn from at that moment",
              "in one place: the same samples in one pot, forgotten alike; what is above it is the price of "
              "gossip"}};
}

}  // namespace choir
