#include "choir/run/online/report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "choir/run/node_findings.h"
#include "choir/run/words.h"

namespace choir {
namespace {

using online_kernel::NodeFindings;
using online_kernel::Options;

void describe_quality(const std::vector<NodeFindings>& nodes, const Options& options, Result& result) {
  Matrix values = Matrix::Constant(result.nodes, 1, std::nan(""));
  bool tested = false;
  for (const NodeFindings& node : nodes) {
    if (!node.test) continue;
    values(node.node, 0) = node.test->quality;
    tested = true;
  }
  if (tested) result.quality[is_classification(options.loss) ? "accuracy" : "rmse"] = std::move(values);
}

void describe_confusion(const online_kernel::Findings& all, const Options& options, Result& result) {
  if (all.confusion.empty()) return;
  Confusion confusion{.rows_are = "classes", .columns_are = "predictions", .columns = options.classes};
  for (const auto& [label, counts] : all.confusion) {
    confusion.rows.push_back(label);
    confusion.counts.push_back(counts);
  }
  result.confusion = std::move(confusion);
}

// {"node": 3, "round": 40, "samples": 1280, "model_order": 17, "loss": 0.3, ...}; nothing of a batch where
// there was none.
void record(const NodeFindings& node, Result& result) {
  for (const online_kernel::Round& round : node.history) {
    Facts line;
    line.set("node", node.node)
        .set("round", round.round)
        .set("samples", round.samples)
        .set("model_order", round.model_order);
    if (round.batch > 0)
      line.set("loss", round.loss).set("mistakes", round.mistakes).set("disagreement", round.disagreement);
    result.metrics.push_back(std::move(line.set("compression", round.compression)));
  }
}

void describe_features(const std::vector<NodeFindings>& nodes, Result& result) {
  if (!nodes.front().features) return;
  const online_kernel::FeatureFindings& features = *nodes.front().features;
  result.facts.set("features_used", features.used)
      .set("totals", features.totals)
      .set("ridge", features.ridge)
      .set("loss_ratio", features.loss_ratio);
}

// Nodes that answer alike say the same.
void describe_shortcomings(const std::vector<NodeFindings>& nodes, Result& result) {
  Assessment assessment;
  for (const NodeFindings& node : nodes) {
    for (const std::string& sentence : node.shortcomings) {
      if (std::ranges::count(assessment.weaknesses, sentence) == 0) assessment.weaknesses.push_back(sentence);
    }
  }
  if (!assessment.weaknesses.empty()) result.assessment = std::move(assessment);
}

std::string quality_words(const Result& result) {
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

// What the nodes keep.
std::string kept_words(const Result& result) {
  const auto number = [&](const char* key) { return result.facts.at(key).number(); };
  const std::string representation = result.facts.at("representation").text();
  if (representation != to_string(online_kernel::Representation::dictionary)) {
    return fmt::format(
        "{} {}, the same answer at all nodes: {} total{} opened, ridge {:.2g}; loss {:.3f} times the "
        "constant answer's, before samples were learned from",
        number("features_used"), representation == "landmarks" ? "features of landmarks" : "random features",
        number("totals"), number("totals") == 1 ? "" : "s", number("ridge"), number("loss_ratio"));
  }
  const bool compared = result.facts.at("consensus").text() != to_string(online_kernel::Consensus::none);
  const std::string disagreement =
      compared ? fmt::format("; disagreement {:.2e}", number("disagreement")) : std::string();
  return fmt::format("dictionary: {:.1f} samples per node (mean), {:.0f} at most{}", number("model_order"),
                     number("largest_model_order"), disagreement);
}

}  // namespace

void describe_online(const std::vector<NodeFindings>& nodes, const Options& options, Result& result) {
  const online_kernel::Findings all = online_kernel::summarise(nodes);
  result.samples = static_cast<Index>(all.samples);
  result.iterations = static_cast<Index>(all.rounds);
  result.iterate_seconds = all.seconds;
  result.facts.set("loss", to_string(options.loss))
      .set("representation", to_string(representation_of(options)))
      .set("consensus", to_string(options.consensus))
      .set("classes", options.classes)
      .set("eta", all.eta)
      .set("epsilon", all.epsilon)
      .set("model_order", all.model_order)
      .set("largest_model_order", all.largest_order)
      .set("disagreement", all.disagreement)
      .set("samples_per_second", all.samples_per_second);
  describe_features(nodes, result);
  describe_shortcomings(nodes, result);
  describe_quality(nodes, options, result);
  describe_confusion(all, options, result);
  for (const online_kernel::Resumption& resumption : online_kernel::resumptions(nodes)) {
    result.faults.push_back({.at = static_cast<double>(resumption.round),
                             .in_rounds = true,
                             .node = resumption.node,
                             .what = "resumed",
                             .words = resumption.words});
  }
  add_similar_notes(notes_of(nodes), result);
  add_notes({online_kernel::early_ends(nodes, options)}, result);
  for (const NodeFindings& node : nodes) record(node, result);
}

std::string online_words(const Result& result) {
  return fmt::format("{}{}\n{} samples in {} rounds\n{}", quality_words(result), kept_words(result),
                     result.samples, result.iterations, sent_words(result));
}

}  // namespace choir
