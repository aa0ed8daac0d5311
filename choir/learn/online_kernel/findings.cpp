#include "choir/learn/online_kernel/findings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace choir::online_kernel {
namespace {

// Rounds that are kept are so much apart, relative to their number: some hundreds of a million.
constexpr double spread = 1.05;

using SamplesByNode = std::map<NodeId, std::uint64_t>;

// "320", or "320 to 640".
std::string range_words(const SamplesByNode& samples) {
  const auto [low, high] = std::ranges::minmax_element(samples, {}, &SamplesByNode::value_type::second);
  return low->second == high->second ? fmt::format("{}", low->second)
                                     : fmt::format("{} to {}", low->second, high->second);
}

double root_mean_square(const Vector& errors) {
  return std::sqrt(errors.squaredNorm() / static_cast<double>(errors.size()));
}

std::map<std::int64_t, std::vector<std::int64_t>> count_pairs(const Vector& targets, const Vector& answers,
                                                              const std::vector<std::int64_t>& classes) {
  std::map<std::int64_t, std::vector<std::int64_t>> counts;
  for (Index n = 0; n < targets.size(); ++n) {
    std::vector<std::int64_t>& row = counts[static_cast<std::int64_t>(targets(n))];
    row.resize(classes.size());
    const auto place = std::ranges::lower_bound(classes, static_cast<std::int64_t>(answers(n)));
    ++row[static_cast<std::size_t>(place - classes.begin())];
  }
  return counts;
}

void add_counts(const std::map<std::int64_t, std::vector<std::int64_t>>& more,
                std::map<std::int64_t, std::vector<std::int64_t>>& sums) {
  for (const auto& [label, counts] : more) {
    std::vector<std::int64_t>& row = sums[label];
    row.resize(std::max(row.size(), counts.size()));
    std::transform(counts.begin(), counts.end(), row.begin(), row.begin(), std::plus<>());
  }
}

std::optional<FeatureFindings> feature_findings(const State& state) {
  if (!state.features) return std::nullopt;
  const FeatureState& features = *state.features;
  const FeatureSet& used = answering(features);
  const Examination& verdict = used.verdict;
  FeatureFindings found{.used = used.used,
                        .totals = features.totals,
                        .ridge = used.ridge,
                        .half_life = used.half_life,
                        .renewals = features.renewals,
                        .loss_ratio = verdict.constant_loss > 0 ? verdict.loss / verdict.constant_loss : 0};
  if (features.class_counts.size() > 0) {
    found.classes.resize(verdict.seen.size(), 2);
    found.classes << verdict.seen, verdict.taken;
  }
  return found;
}

}  // namespace

void History::add(const Round& round) {
  const std::lock_guard lock(mutex_);
  Track& track = tracks_[round.node];
  if (round.round < track.next) return;
  track.next =
      std::max(round.round + 1, static_cast<std::uint64_t>(static_cast<double>(round.round) * spread));
  track.rounds.push_back(round);
}

std::vector<Round> History::of(NodeId node) const {
  const std::lock_guard lock(mutex_);
  const auto found = tracks_.find(node);
  return found == tracks_.end() ? std::vector<Round>() : found->second.rounds;
}

TestFindings test_machine(const KernelMachine& machine, const Samples& samples, const Vector& targets,
                          int threads) {
  const Vector answers = machine.predict(samples, threads);
  if (machine.classes.empty())
    return {.quality = root_mean_square(answers - targets),
            .deviation = root_mean_square(targets.array() - targets.mean())};
  return {.quality = (answers.array() == targets.array()).cast<double>().mean(),
          .confusion = count_pairs(targets, answers, machine.classes)};
}

NodeFindings findings_of(const NodeResult& result, const History& history) {
  const State& state = result.state;
  return {.node = result.node,
          .samples = state.samples,
          .rounds = state.round,
          .model_order = state.order(),
          .largest_order = state.largest_order,
          .disagreement = state.disagreement,
          .progressive = state.progressive,
          .gamma = state.kernel.gamma,
          .eta = state.eta,
          .epsilon = state.epsilon,
          .seconds = result.seconds,
          .notes = result.notes,
          .features = feature_findings(state),
          .history = history.of(result.node)};
}

Findings summarise(const std::vector<NodeFindings>& nodes) {
  const NodeFindings& first = nodes.front();
  const auto count = static_cast<double>(nodes.size());
  Findings all{.eta = first.eta, .epsilon = first.epsilon, .gamma = first.gamma};
  std::uint64_t learned_before = 0;
  for (const NodeFindings& node : nodes) {
    all.samples += node.samples;
    all.rounds = std::max(all.rounds, node.rounds);
    all.largest_order = std::max(all.largest_order, node.largest_order);
    all.model_order += static_cast<double>(node.model_order) / count;
    all.disagreement += node.disagreement / count;
    all.progressive = sum_of(all.progressive, node.progressive);
    all.seconds = std::max(all.seconds, node.seconds);
    if (node.resumed) learned_before += node.resumed->samples;
    if (node.test) add_counts(node.test->confusion, all.confusion);
  }
  all.samples_per_second = static_cast<double>(all.samples - learned_before) / std::max(all.seconds, 1e-9);
  return all;
}

std::vector<Resumption> resumptions(const std::vector<NodeFindings>& nodes) {
  std::map<std::uint64_t, SamplesByNode> samples_by_round;
  for (const NodeFindings& node : nodes) {
    if (node.resumed) samples_by_round[node.resumed->round][node.node] = node.resumed->samples;
  }
  std::vector<Resumption> found;
  for (const auto& [round, samples] : samples_by_round) {
    const NodeId first = samples.begin()->first;
    const bool one = samples.size() == 1;
    found.push_back(
        {.round = round,
         .node = one ? std::optional(first) : std::nullopt,
         .words = fmt::format("{} went on from a checkpoint after round {}, at sample {} of {}.",
                              one ? fmt::format("Node {}", first) : fmt::format("{} nodes", samples.size()),
                              round, range_words(samples), one ? "its stream" : "their streams")});
  }
  return found;
}

// Clearly: by more than batches and shares of a file make a difference.
std::string early_ends(const std::vector<NodeFindings>& nodes, const Options& options) {
  if (options.consensus == Consensus::none) return {};
  if (uses_features(options)) return {};  // sums forget nobody for having ended
  std::uint64_t longest = 0;
  for (const NodeFindings& node : nodes) longest = std::max(longest, node.samples);
  const auto most = static_cast<double>(longest);
  const double early = std::min(0.9 * most, most - 2 * static_cast<double>(options.batch));
  SamplesByNode ended;
  for (const NodeFindings& node : nodes) {
    if (node.samples > 0 && static_cast<double>(node.samples) < early) ended[node.node] = node.samples;
  }
  if (ended.empty()) return {};
  const bool one = ended.size() == 1;
  return fmt::format(
      "{} ended after {} samples, others went on to {}; what only {} saw fades",
      one ? fmt::format("node {}'s stream", ended.begin()->first)
          : fmt::format("the streams of node {} and {} more", ended.begin()->first, ended.size() - 1),
      range_words(ended), longest, one ? "it" : "they");
}

}  // namespace choir::online_kernel
