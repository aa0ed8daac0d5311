#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "choir/learn/online_kernel/findings.h"

namespace choir::online_kernel {
namespace {

// Fewer samples than this say nothing about a class, or about a stream.
constexpr double telling_of_a_class = 50;
constexpr double telling_of_a_stream = 50;
// The same of a class, where the very answer that is judged predicted all samples.
constexpr double telling_of_the_answer = 10;
// A gain below this share of the constant answer's loss is chance.
constexpr double least_gain = 0.01;

// What a test or a stream says about classes: K x 3 as in Progressive. Of the latest samples of moments there
// are two columns.
struct Evidence {
  Matrix classes;
  double samples = 0;
  const char* of = "";
  double telling = telling_of_a_class;
};

// What a sentence calls the classes: K.
std::vector<std::string> names_of(const Options& options, const std::vector<std::string>& names) {
  if (!names.empty()) return names;
  std::vector<std::string> texts;
  for (const std::int64_t label : options.classes) texts.push_back(std::to_string(label));
  return texts;
}

Evidence evidence_of(const Findings& all, const Options& options) {
  if (all.confusion.empty() && all.progressive.classes.size() == 0) return {};
  if (all.confusion.empty())
    return {.classes = all.progressive.classes,
            .samples = all.progressive.classes.col(0).sum(),
            .of = "samples of the streams, predicted before they were learned from"};
  Evidence test{.classes = Matrix::Zero(std::ssize(options.classes), 3), .of = "test samples"};
  for (const auto& [label, counts] : all.confusion) {
    const auto place = std::ranges::lower_bound(options.classes, label) - options.classes.begin();
    const bool known =
        place < std::ssize(options.classes) && options.classes[static_cast<std::size_t>(place)] == label;
    for (Index k = 0; k < std::ssize(counts); ++k) {
      const auto count = static_cast<double>(counts[static_cast<std::size_t>(k)]);
      test.samples += count;
      test.classes(k, 1) += count;
      if (!known) continue;
      test.classes(place, 0) += count;
      if (k == place) test.classes(place, 2) += count;
    }
  }
  return test;
}

std::string empty_models(const std::vector<NodeFindings>& nodes) {
  const auto empty = std::ranges::count(nodes, Index{0}, &NodeFindings::model_order);
  if (empty == 0) return {};
  return fmt::format(
      "the dictionaries of {} of {} nodes are empty, so their models give every sample the same answer; use "
      "a "
      "smaller --epsilon or omit it, or learn from more samples",
      empty, nodes.size());
}

std::string classes_never_predicted(const Evidence& seen, const Options& options,
                                    const std::vector<std::string>& names) {
  std::vector<std::string> missing;
  for (Index k = 0; k < seen.classes.rows(); ++k) {
    const bool never = seen.classes(k, 0) >= seen.telling && seen.classes(k, 1) < 0.5;
    if (never) missing.push_back(names[static_cast<std::size_t>(k)]);
  }
  if (missing.empty()) return {};
  const bool weighted = options.class_weights == ClassWeights::balanced;
  const char* size = uses_features(options) ? "more --n-features or --n-landmarks" : "a larger --max-atoms";
  return fmt::format(
      "{} never predicted among the {}; use {}, or learn from more samples",
      missing.size() == 1 ? fmt::format("class {} was", missing.front())
                          : fmt::format("{} classes (the first is {}) were", missing.size(), missing.front()),
      seen.of, weighted ? fmt::format("{} or another --gamma", size) : "--class-weights balanced");
}

constexpr const char* what_may_help =
    "check that the labels belong to the samples, try --standardize zscore or another --gamma, or learn from "
    "more samples";

std::string no_better_than_one_class(const Evidence& seen) {
  const double classes = static_cast<double>((seen.classes.col(0).array() > 0).count());
  if (classes < 2 || seen.samples < telling_of_a_stream) return {};
  const double constant = 1 / classes;
  const double deviation = std::sqrt(constant * (1 - constant) / seen.samples);
  const double accuracy = balanced_accuracy(seen.classes);
  if (accuracy > constant + deviation) return {};
  return fmt::format(
      "the balanced accuracy of the {} is {:.3f}, no better than always the same answer ({:.3f}); {}",
      seen.of, accuracy, constant, what_may_help);
}

std::string no_better_than_the_mean(const std::vector<NodeFindings>& nodes, const Progressive& streams) {
  double error = 0, constant = 0, tested = 0;
  for (const NodeFindings& node : nodes) {
    if (!node.test) continue;
    error += node.test->quality;
    constant += node.test->deviation;
    tested += 1;
  }
  const bool by_test = tested > 0;
  if (!by_test) {
    if (streams.samples < telling_of_a_stream) return {};
    error = streams.rmse();
    constant = std::sqrt(streams.deviations / streams.samples);
  }
  if (error < 0.98 * constant) return {};
  const double count = std::max(tested, 1.0);
  return fmt::format(
      "the root mean squared error of the {} is {:.4g}, no better than always the mean ({:.4g}); {}",
      by_test ? "test samples" : "samples of the streams, predicted before they were learned from",
      error / count, constant / count, what_may_help);
}

std::string no_better_than_a_constant(const FeatureFindings& features) {
  if (features.loss_ratio < 1 - least_gain) return {};
  return fmt::format(
      "the answer is no better than a constant one: its loss on samples that it had not learned from is "
      "{:.2f} "
      "times the constant answer's; {}",
      features.loss_ratio, what_may_help);
}

// Of nodes that share one answer, which has been asked about their latest samples.
std::vector<std::string> weaknesses_of_moments(const FeatureFindings& features, const Options& options,
                                               const std::vector<std::string>& names) {
  const Evidence seen{
      .classes = features.classes, .of = "latest samples of all nodes", .telling = telling_of_the_answer};
  return {classes_never_predicted(seen, options, names), no_better_than_a_constant(features)};
}

std::vector<std::string> weaknesses_of_predictions(const std::vector<NodeFindings>& nodes,
                                                   const Options& options,
                                                   const std::vector<std::string>& names) {
  const Findings all = summarise(nodes);
  if (!is_classification(options.loss)) return {no_better_than_the_mean(nodes, all.progressive)};
  const Evidence seen = evidence_of(all, options);
  if (seen.classes.size() == 0) return {};
  return {classes_never_predicted(seen, options, names), no_better_than_one_class(seen)};
}

}  // namespace

std::vector<std::string> weaknesses(const std::vector<NodeFindings>& nodes, const Options& options,
                                    const std::vector<std::string>& names) {
  const std::vector<std::string> called = names_of(options, names);
  const bool tested = std::ranges::any_of(nodes, [](const auto& node) { return node.test.has_value(); });
  const bool by_moments = !tested && !nodes.empty() && nodes.front().features;
  std::vector<std::string> found = by_moments
                                       ? weaknesses_of_moments(*nodes.front().features, options, called)
                                       : weaknesses_of_predictions(nodes, options, called);
  found.insert(found.begin(), empty_models(nodes));
  std::erase(found, std::string());
  return found;
}

}  // namespace choir::online_kernel
