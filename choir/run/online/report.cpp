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

const char* progress_name(bool classes) { return classes ? "progressive_accuracy" : "progressive_rmse"; }

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

// How well samples were predicted before they were learned from.
void describe_progress(const std::vector<NodeFindings>& nodes, const Options& options, Result& result) {
  const bool classes = is_classification(options.loss);
  Matrix values = Matrix::Constant(result.nodes, 1, std::nan(""));
  for (const NodeFindings& node : nodes) {
    const online_kernel::Progressive& seen = node.progressive;
    if (seen.samples > 0) values(node.node, 0) = classes ? seen.accuracy() : seen.rmse();
  }
  if (!values.array().isNaN().all()) result.quality[progress_name(classes)] = std::move(values);
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
// there was none, and nothing of predictions before a node has learned something.
void record(const NodeFindings& node, const Options& options, Result& result) {
  for (const online_kernel::Round& round : node.history) {
    Facts line;
    line.set("node", node.node)
        .set("round", round.round)
        .set("samples", round.samples)
        .set("model_order", round.model_order);
    if (round.batch > 0)
      line.set("loss", round.loss).set("mistakes", round.mistakes).set("disagreement", round.disagreement);
    if (round.batch > 0 && round.judged > 0)
      line.set("progressive_loss", round.progressive_loss)
          .set("recent_loss", round.recent_loss)
          .set(progress_name(is_classification(options.loss)), round.progressive_quality);
    result.metrics.push_back(std::move(line.set("compression", round.compression)));
  }
}

// What the nodes' functions are made of, and how good they were on samples: nothing that a run under
// differential privacy may tell.
void describe_judgement(const std::vector<NodeFindings>& nodes, const online_kernel::Findings& all,
                        const Options& options, const std::vector<std::string>& class_names, Result& result) {
  result.facts.set("eta", all.eta)
      .set("epsilon", all.epsilon)
      .set("model_order", all.model_order)
      .set("largest_model_order", all.largest_order)
      .set("disagreement", all.disagreement)
      .set("progressive_loss", all.progressive.mean_loss())
      .set("recent_loss", all.progressive.recent);
  if (nodes.front().features) result.facts.set("loss_ratio", nodes.front().features->loss_ratio);
  describe_quality(nodes, options, result);
  describe_progress(nodes, options, result);
  result.assessment = Assessment{.weaknesses = online_kernel::weaknesses(nodes, options, class_names)};
  describe_confusion(all, options, result);
  for (const NodeFindings& node : nodes) record(node, options, result);
}

void describe_features(const std::vector<NodeFindings>& nodes, Result& result) {
  if (!nodes.front().features) return;
  const online_kernel::FeatureFindings& features = *nodes.front().features;
  result.facts.set("features_used", features.used)
      .set("totals", features.totals)
      .set("ridge", features.ridge)
      .set("half_life", features.half_life)
      .set("renewals", features.renewals);
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

std::string progress_words(const Result& result) {
  for (const bool classes : {true, false}) {
    const auto found = result.quality.find(progress_name(classes));
    if (found == result.quality.end()) continue;
    return fmt::format(
        "{} of samples before they were learned from {:.4f} (mean over nodes); loss {:.4f}, of late {:.4f}\n",
        classes ? "accuracy" : "rmse", mean_over_nodes(found->second)(0),
        result.facts.at("progressive_loss").number(), result.facts.at("recent_loss").number());
  }
  return {};
}

// Of moments whose answer was judged.
std::string loss_words(const Result& result) {
  if (result.privacy) return {};
  return fmt::format("; loss {:.3f} times the constant answer's, before samples were learned from",
                     result.facts.at("loss_ratio").number());
}

// That the stream changed, as far as the nodes followed it.
std::string change_words(double half_life, double renewals) {
  std::string words;
  if (half_life > 0) words += fmt::format("; a sample counts half after {:.6g} others", half_life);
  if (renewals > 0)
    words += fmt::format("; new features took over {} time{}", renewals, renewals == 1 ? "" : "s");
  return words;
}

// What the nodes keep.
std::string kept_words(const Result& result) {
  const auto number = [&](const char* key) { return result.facts.at(key).number(); };
  const std::string representation = result.facts.at("representation").text();
  if (representation != to_string(online_kernel::Representation::dictionary)) {
    return fmt::format("{} {}, the same answer at all nodes: {} {}total{} opened, ridge {:.2g}",
                       number("features_used"),
                       representation == "landmarks" ? "features of landmarks" : "random features",
                       number("totals"), result.privacy ? "noisy " : "", number("totals") == 1 ? "" : "s",
                       number("ridge")) +
           loss_words(result) + change_words(number("half_life"), number("renewals"));
  }
  const bool compared = result.facts.at("consensus").text() != to_string(online_kernel::Consensus::none);
  const std::string disagreement =
      compared ? fmt::format("; disagreement {:.2e}", number("disagreement")) : std::string();
  return fmt::format("dictionary: {:.1f} samples per node (mean), {:.0f} at most{}", number("model_order"),
                     number("largest_model_order"), disagreement);
}

}  // namespace

void describe_online(const std::vector<NodeFindings>& nodes, const Options& options, Result& result,
                     const std::vector<std::string>& class_names) {
  const online_kernel::Findings all = online_kernel::summarise(nodes);
  result.samples = static_cast<Index>(all.samples);
  result.iterations = static_cast<Index>(all.rounds);
  result.iterate_seconds = all.seconds;
  result.facts.set("loss", to_string(options.loss))
      .set("representation", to_string(representation_of(options)))
      .set("consensus", to_string(options.consensus))
      .set("classes", options.classes)
      .set("samples_per_second", all.samples_per_second);
  describe_features(nodes, result);
  if (!options.privacy.wanted()) describe_judgement(nodes, all, options, class_names, result);
  for (const online_kernel::Resumption& resumption : online_kernel::resumptions(nodes)) {
    result.faults.push_back({.at = static_cast<double>(resumption.round),
                             .in_rounds = true,
                             .node = resumption.node,
                             .what = "resumed",
                             .words = resumption.words});
  }
  add_similar_notes(notes_of(nodes), result);
  add_notes({online_kernel::early_ends(nodes, options)}, result);
}

std::string online_words(const Result& result) {
  return fmt::format("{}{}{}\n{} samples in {} rounds\n{}", quality_words(result), progress_words(result),
                     kept_words(result), result.samples, result.iterations, sent_words(result));
}

}  // namespace choir
