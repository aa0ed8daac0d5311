#include "choir/learn/oneshot_kpca/findings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"

namespace choir::oneshot_kpca {
namespace {

AnswerFindings findings_of(const Answer& answer) {
  const bool says_something = answer.bound && std::isfinite(*answer.bound);
  return {.eigenvalues = answer.eigenvalues,
          // The trace of an indefinite kernel may be anything.
          .explained_variance_ratio = answer.eigenvalues / std::max(answer.trace, answer.eigenvalues.sum()),
          .converged = answer.converged,
          .residual = answer.residual,
          .bound = says_something ? answer.bound : std::nullopt,
          .assessment = answer.assessment,
          .agreement = answer.agreement,
          .seconds = answer.seconds};
}

// Parties that gossiped each have their own view of the same answer: the least hopeful counts.
void add_assessment(const Assessment& other, Assessment& all) {
  Vector& claims = all.claimed_similarity;
  if (claims.size() == other.claimed_similarity.size()) claims = claims.cwiseMin(other.claimed_similarity);
  if (all.weaknesses.empty()) all.weaknesses = other.weaknesses;
}

void add_answer(const NodeFindings& node, Findings& all) {
  if (!node.answer) return;
  if (all.answer_at.empty()) all.answer = *node.answer;
  add_assessment(node.answer->assessment, all.answer.assessment);
  all.answer_at.push_back(node.node);
  all.answer.converged = all.answer.converged && node.answer->converged;
  all.answer.residual = std::max(all.answer.residual, node.answer->residual);
  all.answer.seconds = std::max(all.answer.seconds, node.answer->seconds);
}

// By row: a key is the name of somebody, and this is printed and kept.
std::string numbered(const std::vector<Index>& places) {
  constexpr std::size_t most = 3;
  std::string words = places.size() == 1 ? "sample" : "samples";
  for (std::size_t i = 0; i < std::min(most, places.size()); ++i) {
    words += fmt::format("{}{}", i == 0 ? " " : ", ", places[i] + 1);
  }
  return words + (places.size() > most ? fmt::format(" and {} more", places.size() - most) : "");
}

}  // namespace

NodeFindings findings_of(const NodeResult& result) {
  NodeFindings findings{.node = result.node,
                        .samples = result.features.columns(),
                        .gamma = result.kernel.gamma,
                        .estimator = result.estimator,
                        .vectors_sent = result.vectors_sent,
                        .raw_equivalent = result.raw_equivalent,
                        .left_out = std::ssize(result.left_out),
                        .seconds = result.local_seconds,
                        .notes = result.notes};
  if (result.answer) findings.answer = findings_of(*result.answer);
  return findings;
}

Findings summarise(const std::vector<NodeFindings>& nodes) {
  Findings all;
  all.samples = nodes.front().samples;
  all.estimator = nodes.front().estimator;
  for (const NodeFindings& node : nodes) {
    add_answer(node, all);
    all.local_seconds = std::max(all.local_seconds, node.seconds);
    all.vectors_sent.push_back(node.vectors_sent);
    all.all_vectors_sent += node.vectors_sent;
    all.left_out.push_back(node.left_out);
    if (node.raw_equivalent) all.raw_equivalent.push_back(node.node);
  }
  if (all.answer_at.empty()) {
    throw Error(ErrorCategory::PeerLost,
                "no node that was to have the answer is left; there is no answer to keep");
  }
  return all;
}

std::vector<std::int64_t> labels_in_order(const NodeResult& party, const std::vector<std::int64_t>& labels,
                                          const std::vector<std::string>& keys, bool matched) {
  if (labels.empty() || !matched) return labels;
  const std::set<Index> left_out(party.left_out.begin(), party.left_out.end());
  std::map<std::string, std::int64_t> by_key;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    if (!left_out.contains(static_cast<Index>(n))) by_key[keys[n]] = labels[n];
  }
  std::vector<std::int64_t> ordered;
  for (const auto& [key, label] : by_key) ordered.push_back(label);
  return ordered;
}

std::string left_out_words(const NodeFindings& node, const std::vector<Index>& places) {
  if (node.left_out == 0) return {};
  const bool one = node.left_out == 1;
  return fmt::format("{} of {} samples of node {} {} left out, as not all nodes have {}{}", node.left_out,
                     node.left_out + node.samples, node.node, one ? "is" : "are",
                     one ? "its key" : "their keys", places.empty() ? "" : ": " + numbered(places));
}

std::string vector_words(const Findings& findings) {
  const auto [fewest, most] = std::ranges::minmax(findings.vectors_sent);
  const std::string each = fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most);
  return fmt::format("vectors per node: {}, {} together", each, findings.all_vectors_sent);
}

std::string answer_words(const Findings& findings, Index network) {
  if (std::ssize(findings.answer_at) == network) return "every node has the answer";
  return fmt::format("node {} has the answer", fmt::join(findings.answer_at, ", "));
}

std::string bound_words(const Findings& findings) {
  constexpr double says_something = 0.5;
  const std::optional<double>& bound = findings.answer.bound;
  if (!bound || *bound >= says_something) return {};
  return fmt::format("Theorem 1: ||sin Theta|| is at most {:.2g}", *bound);
}

std::string what_helps_words(const Findings& findings) {
  if (!std::isfinite(findings.answer.residual))
    return "the values are so large that their squares overflow; use --divide or --standardize zscore";
  const std::optional<double>& agreement = findings.answer.agreement;
  if (!agreement || *agreement >= least_agreement) return {};
  return fmt::format(
      "the parties have not come to one answer by gossip: the smallest cosine between a party's components "
      "and "
      "node 0's is {:.3f}, where {} would do; use --fusion tree, or raise --messages-per-node",
      *agreement, least_agreement);
}

std::string ending_words(const Findings& findings) {
  return fmt::format("{}, residual {:.1e}", findings.answer.converged ? "converged" : "NOT converged",
                     findings.answer.residual);
}

}  // namespace choir::oneshot_kpca
