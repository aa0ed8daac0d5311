#include "choir/cli/oneshot_report.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"

namespace choir::cli {
namespace {

// JSON has no infinity, and a bound that says nothing is none.
Json bound_of(const OneshotAnswer& answer) {
  return answer.bound && std::isfinite(*answer.bound) ? Json(*answer.bound) : Json(nullptr);
}

Json numbers_of(const OneshotAnswer& answer) {
  return {{"eigenvalues", list_of(answer.eigenvalues)},
          {"explained_variance_ratio", list_of(answer.eigenvalues / answer.trace)},
          {"converged", answer.converged},
          {"residual", answer.residual},
          {"bound", bound_of(answer)},
          {"seconds", answer.seconds}};
}

Json numbers_of(const OneshotKpca& fit) {
  return {{"node", fit.node},
          {"samples", fit.features.cols()},
          {"gamma", fit.kernel.gamma},
          {"vectors_sent", fit.vectors_sent},
          {"raw_equivalent", fit.raw_equivalent},
          {"left_out", fit.left_out.size()},
          {"seconds", fit.local_seconds},
          {"notes", fit.notes},
          {"answer", fit.answer ? numbers_of(*fit.answer) : Json(nullptr)}};
}

Json every(const std::vector<Json>& nodes, const char* key) {
  Json list = Json::array();
  for (const Json& node : nodes) list.push_back(node.at(key));
  return list;
}

std::vector<Json> answers_of(const std::vector<Json>& nodes, RunResult& result) {
  std::vector<Json> answers;
  result.extra["answer_at"] = Json::array();
  for (const Json& node : nodes) {
    if (node.at("answer").is_null()) continue;
    result.extra["answer_at"].push_back(node.at("node"));
    answers.push_back(node.at("answer"));
  }
  if (answers.empty()) {
    throw Error(ErrorCategory::PeerLost,
                "no node that was to have the answer is left; there is none to keep");
  }
  return answers;
}

std::string named(const std::vector<std::string>& keys) {
  constexpr std::size_t most = 3;
  std::string words;
  for (std::size_t i = 0; i < std::min(most, keys.size()); ++i) {
    words += fmt::format("{}{:?}", i == 0 ? "" : ", ", keys[i]);
  }
  return words + (keys.size() > most ? fmt::format(" and {} more", keys.size() - most) : "");
}

std::string quality_words(const RunResult& result) {
  const auto error = result.quality_numbers.find("subspace_error");
  if (error == result.quality_numbers.end()) return {};
  return fmt::format("\n\nagainst kernel PCA of all features in one place: subspace error {:.2e}",
                     error->second);
}

std::string vector_words(const RunResult& result) {
  const Json& sent = result.extra.at("vectors_sent");
  const auto counts = sent.at("per_node").get<std::vector<Index>>();
  const auto [fewest, most] = std::minmax_element(counts.begin(), counts.end());
  const std::string each =
      *fewest == *most ? fmt::format("{}", *most) : fmt::format("{} to {}", *fewest, *most);
  return fmt::format("vectors of a node: {}, {} together", each, sent.at("total").get<Index>());
}

std::string answer_words(const RunResult& result) {
  const auto nodes = result.extra.at("answer_at").get<std::vector<Index>>();
  if (static_cast<Index>(nodes.size()) == result.nodes) return "every node has the answer";
  return fmt::format("node {} has the answer", fmt::join(nodes, ", "));
}

// Theorem 1 bounds a number that cannot exceed the root of the number of components anyway.
std::string bound_words(const RunResult& result) {
  const Json& bound = result.extra.at("bound");
  if (bound.is_null()) return {};
  const double value = bound.get<double>();
  const bool says_something = value < std::sqrt(static_cast<double>(result.n_components));
  return fmt::format("\nTheorem 1: ||sin Theta|| is at most {:.2g}{}", value,
                     says_something ? "" : ", which says nothing here");
}

}  // namespace

Json numbers_of(const OneshotKpcaFit& fit) {
  Json nodes = Json::array();
  for (const auto& node : fit.nodes) {
    if (node) nodes.push_back(numbers_of(*node));
  }
  return nodes;
}

void summarise_oneshot(const std::vector<Json>& nodes, RunResult& result) {
  const std::vector<Json> answers = answers_of(nodes, result);
  const Json& first = answers.front();
  result.samples = nodes.front().at("samples").get<Index>();
  result.eigenvalues = vector_of(first.at("eigenvalues"));
  result.explained_variance_ratio = vector_of(first.at("explained_variance_ratio"));
  result.n_components = result.eigenvalues.size();
  result.converged = std::all_of(answers.begin(), answers.end(),
                                 [](const Json& answer) { return answer.at("converged").get<bool>(); });
  result.residual = largest(answers, "residual");
  result.setup_seconds = largest(nodes, "seconds");
  result.iterate_seconds = largest(answers, "seconds");
  result.extra["bound"] = first.at("bound");
  result.extra["vectors_sent"] = {{"total", static_cast<Index>(total(nodes, "vectors_sent"))},
                                  {"per_node", every(nodes, "vectors_sent")}};
  result.extra["raw_equivalent"] = Json::array();
  for (const Json& node : nodes) {
    if (node.at("raw_equivalent").get<bool>()) result.extra["raw_equivalent"].push_back(node.at("node"));
  }
  add_similar_notes(nodes, result);
}

void describe_left_out(const std::vector<Json>& nodes, const KeysByNode& keys, RunResult& result) {
  result.extra["left_out"] = every(nodes, "left_out");
  for (const Json& node : nodes) {
    const auto count = node.at("left_out").get<Index>();
    if (count == 0) continue;
    const auto known = keys.find(node.at("node").get<NodeId>());
    const bool one = count == 1;
    result.notes.push_back(fmt::format("{} of {} samples of node {} {} left out, as not all nodes have {}{}",
                                       count, count + result.samples, node.at("node").get<NodeId>(),
                                       one ? "is" : "are", one ? "its key" : "their keys",
                                       known == keys.end() ? "" : ": " + named(known->second)));
  }
}

std::string oneshot_table(const RunResult& result) {
  return fmt::format("{}{}\n\n{}\n{}; {}{}\n{}, residual {:.1e}", eigenvalue_table(result),
                     quality_words(result), sent_words(result), vector_words(result), answer_words(result),
                     bound_words(result), result.converged.value_or(false) ? "converged" : "NOT converged",
                     result.residual.value_or(0));
}

}  // namespace choir::cli
