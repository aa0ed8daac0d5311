#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "choir/learn/online_kernel/findings.h"

namespace choir::online_kernel {
namespace {

// Fewer samples than this say nothing about a class, or about a stream.
constexpr double telling_of_a_class = 50;
constexpr double telling_of_a_stream = 50;

// What a test or a stream says about classes: K x 3 as in Progressive.
struct Evidence {
  Matrix classes;
  double samples = 0;
  const char* of = "";
};

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

std::string classes_never_predicted(const Evidence& seen, const Options& options) {
  std::vector<std::int64_t> missing;
  for (Index k = 0; k < seen.classes.rows(); ++k) {
    const bool never = seen.classes(k, 0) >= telling_of_a_class && seen.classes(k, 1) < 0.5;
    if (never) missing.push_back(options.classes[static_cast<std::size_t>(k)]);
  }
  if (missing.empty()) return {};
  const bool weighted = options.class_weights == ClassWeights::balanced;
  return fmt::format(
      "{} never predicted among the {}; use {}, or learn from more samples",
      missing.size() == 1 ? fmt::format("class {} was", missing.front())
                          : fmt::format("{} classes (the first is {}) were", missing.size(), missing.front()),
      seen.of, weighted ? "a larger --max-atoms or another --gamma" : "--class-weights balanced");
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

}  // namespace

std::vector<std::string> weaknesses(const std::vector<NodeFindings>& nodes, const Options& options) {
  const Findings all = summarise(nodes);
  std::vector<std::string> found = {empty_models(nodes)};
  if (is_classification(options.loss)) {
    const Evidence seen = evidence_of(all, options);
    if (seen.classes.size() > 0) {
      found.push_back(classes_never_predicted(seen, options));
      found.push_back(no_better_than_one_class(seen));
    }
  } else {
    found.push_back(no_better_than_the_mean(nodes, all.progressive));
  }
  std::erase(found, std::string());
  return found;
}

}  // namespace choir::online_kernel
