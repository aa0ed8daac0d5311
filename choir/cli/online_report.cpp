#include "choir/cli/online_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>
#include <utility>

#include <fmt/format.h>

namespace choir::cli {
namespace {

// Rounds that are kept are so much apart, relative to their number: some hundreds of a million.
constexpr double spread = 1.05;

// Of a round in the history, in this order; null: there was no batch.
constexpr std::array round_keys = {"round",    "samples",      "model_order", "loss",
                                   "mistakes", "disagreement", "compression"};

double mean(const std::vector<Json>& nodes, const char* key) {
  return total(nodes, key) / static_cast<double>(nodes.size());
}

const char* quality_name(Loss loss) { return is_classification(loss) ? "accuracy" : "rmse"; }

void describe_quality(const std::vector<Json>& nodes, Loss loss, RunResult& result) {
  if (!nodes.front().contains("quality")) return;
  Matrix values = Matrix::Constant(result.nodes, 1, std::nan(""));
  for (const Json& node : nodes) values(node.at("node").get<Index>(), 0) = node.at("quality").get<double>();
  result.quality[quality_name(loss)] = values;
}

// An entry for each round that nodes went on after: usually there is one, and they did so together.
void describe_resumption(const std::vector<Json>& nodes, RunResult& result) {
  using SamplesByNode = std::map<NodeId, std::uint64_t>;
  std::map<std::uint64_t, SamplesByNode> by_round;
  for (const Json& node : nodes) {
    if (!node.contains("resumed")) continue;
    const auto [round, samples] = node.at("resumed").get<std::pair<std::uint64_t, std::uint64_t>>();
    by_round[round][node.at("node").get<NodeId>()] = samples;
  }
  for (const auto& [round, samples] : by_round) {
    const bool one = samples.size() == 1;
    const auto [low, high] = std::ranges::minmax(samples | std::views::values);
    const std::string words = fmt::format(
        "{} went on from a checkpoint after round {}, at sample {} of {}.",
        one ? fmt::format("Node {}", samples.begin()->first) : fmt::format("{} nodes", samples.size()), round,
        low == high ? fmt::format("{}", low) : fmt::format("{} to {}", low, high),
        one ? "its stream" : "their streams");
    Json fault = {{"at", round}, {"unit", "round"}, {"what", "resumed"}, {"words", words}};
    if (one) fault["node"] = samples.begin()->first;
    result.extra["faults"].push_back(std::move(fault));
  }
}

double learned_since(const std::vector<Json>& nodes) {
  double samples = total(nodes, "samples");
  for (const Json& node : nodes) {
    if (node.contains("resumed")) samples -= node.at("resumed").at(1).get<double>();
  }
  return samples;
}

// Others have learned on without them, clearly longer than batches and shares of a file make a difference.
void note_early_ends(const std::vector<Json>& nodes, const OnlineKernelOptions& method, RunResult& result) {
  if (method.consensus == OnlineConsensus::none) return;
  const double longest = largest(nodes, "samples");
  const double early = std::min(0.9 * longest, longest - 2 * static_cast<double>(method.batch));
  std::map<NodeId, double> ended;
  for (const Json& node : nodes) {
    const auto samples = node.at("samples").get<double>();
    if (samples > 0 && samples < early) ended[node.at("node").get<NodeId>()] = samples;
  }
  if (ended.empty()) return;
  const auto [low, high] = std::ranges::minmax(ended | std::views::values);
  const bool one = ended.size() == 1;
  result.notes.push_back(fmt::format(
      "{} ended after {} samples, others went on to {}; what only {} saw fades",
      one ? fmt::format("node {}'s stream", ended.begin()->first)
          : fmt::format("the streams of node {} and {} more", ended.begin()->first, ended.size() - 1),
      low == high ? fmt::format("{}", low) : fmt::format("{} to {}", low, high), longest,
      one ? "it" : "they"));
}

std::string quality_words(const RunResult& result) {
  for (const char* name : {"accuracy", "rmse"}) {
    const auto found = result.quality.find(name);
    if (found == result.quality.end()) continue;
    const bool high_is_good = found->first == "accuracy";
    double worst = high_is_good ? 1 : 0;
    for (const double value : found->second.reshaped()) {
      if (!std::isnan(value)) worst = high_is_good ? std::min(worst, value) : std::max(worst, value);
    }
    return fmt::format("{} on the test samples {:.4f} (mean over nodes), {:.4f} at the worst node\n", name,
                       mean_over_nodes(found->second)(0), worst);
  }
  return {};
}

}  // namespace

void OnlineHistory::add(const OnlineRound& round) {
  const std::lock_guard lock(mutex_);
  Track& track = tracks_[round.node];
  if (round.round < track.next) return;
  track.next =
      std::max(round.round + 1, static_cast<std::uint64_t>(static_cast<double>(round.round) * spread));
  const auto of_batch = [&](double value) { return round.batch > 0 ? Json(value) : Json(); };
  track.rounds.push_back({round.round, round.samples, round.model_order, of_batch(round.loss),
                          of_batch(round.mistakes), of_batch(round.disagreement), round.compression});
}

Json OnlineHistory::of(NodeId node) const {
  const std::lock_guard lock(mutex_);
  const auto found = tracks_.find(node);
  return found == tracks_.end() ? Json::array() : found->second.rounds;
}

double quality_of(const KernelMachine& machine, const Samples& samples, const Vector& targets, int threads) {
  const Vector answer = machine.predict(samples, threads);
  if (!machine.classes.empty()) return (answer.array() == targets.array()).cast<double>().mean();
  return std::sqrt((answer - targets).squaredNorm() / static_cast<double>(targets.size()));
}

Json numbers_of(const OnlineKernelFit& fit, const OnlineHistory& history,
                const std::map<NodeId, double>& quality, const std::map<NodeId, OnlineState>& from) {
  Json nodes = Json::array();
  for (const auto& node : fit.nodes) {
    if (!node) continue;
    nodes.push_back({{"node", node->node},
                     {"samples", node->state.samples},
                     {"rounds", node->state.round},
                     {"model_order", node->state.f.size()},
                     {"largest_order", node->state.largest_order},
                     {"loss", node->state.loss},
                     {"disagreement", node->state.disagreement},
                     {"gamma", node->state.kernel.gamma},
                     {"eta", node->state.eta},
                     {"epsilon", node->state.epsilon},
                     {"penalty", node->state.penalty},
                     {"seconds", node->seconds},
                     {"notes", node->notes},
                     {"history", history.of(node->node)}});
    const auto found = quality.find(node->node);
    if (found != quality.end()) nodes.back()["quality"] = found->second;
    const auto earlier = from.find(node->node);
    if (earlier != from.end()) nodes.back()["resumed"] = {earlier->second.round, earlier->second.samples};
  }
  return nodes;
}

void summarise_online(const std::vector<Json>& nodes, const OnlineKernelOptions& method, RunResult& result) {
  result.samples = static_cast<Index>(total(nodes, "samples"));
  result.iterations = static_cast<Index>(largest(nodes, "rounds"));
  result.iterate_seconds = largest(nodes, "seconds");
  result.extra["loss"] = to_string(method.loss);
  result.extra["consensus"] = to_string(method.consensus);
  result.extra["classes"] = method.classes;
  result.extra["eta"] = nodes.front().at("eta");
  result.extra["epsilon"] = nodes.front().at("epsilon");
  result.extra["model_order"] = mean(nodes, "model_order");
  result.extra["largest_model_order"] = largest(nodes, "largest_order");
  result.extra["disagreement"] = mean(nodes, "disagreement");
  result.extra["samples_per_second"] = learned_since(nodes) / std::max(result.iterate_seconds, 1e-9);
  describe_quality(nodes, method.loss, result);
  describe_resumption(nodes, result);
  add_similar_notes(nodes, result);
  note_early_ends(nodes, method, result);
}

std::vector<Json> round_lines(const Json& node) {
  std::vector<Json> lines;
  for (const Json& round : node.at("history")) {
    Json line = {{"node", node.at("node")}};
    for (std::size_t place = 0; place < round_keys.size(); ++place) {
      if (!round.at(place).is_null()) line[round_keys[place]] = round.at(place);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string online_table(const RunResult& result) {
  const auto number = [&](const char* key) { return result.extra.at(key).get<double>(); };
  const bool compared = result.extra.at("consensus") != to_string(OnlineConsensus::none);
  const std::string disagreement =
      compared ? fmt::format("; disagreement {:.2e}", number("disagreement")) : std::string();
  return fmt::format(
      "{}dictionary: {:.1f} samples a node (mean), {:.0f} at most{}\n{} samples in {} rounds\n{}",
      quality_words(result), number("model_order"), number("largest_model_order"), disagreement,
      result.samples, result.iterations, sent_words(result));
}

}  // namespace choir::cli
