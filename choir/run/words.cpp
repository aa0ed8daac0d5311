#include "choir/run/words.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/text.h"
#include "choir/report/text_table.h"

namespace choir {
namespace {

// "raw_samples" as people write it.
std::string words_of(Kind kind) {
  std::string words(to_string(kind));
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string distance_words(const Result& result) {
  if (result.residual) return fmt::format("residual {:.1e}, tol {:.1e}", *result.residual, result.tol);
  if (!result.change) return fmt::format("tol {:.1e}", result.tol);
  // Nodes that gossip have settled when they were calm for a while, not once.
  if (*result.change < result.tol) {
    return fmt::format("change {:.1e} is below tol {:.1e}, but not for long enough", *result.change,
                       result.tol);
  }
  return fmt::format("change {:.1e}, tol {:.1e}", *result.change, result.tol);
}

// How much of what central components capture these do.
std::string share_words(const Result& result) {
  if (!result.assessment || result.assessment->captured_share == 0) return "";
  return fmt::format("\nestimated share of the variance that as many central components capture: {:.1f}%",
                     100 * result.assessment->captured_share);
}

// Components that only their group determines, a line each.
std::string separation_words(const Result& result) {
  std::string words;
  if (!result.assessment) return words;
  for (const ComponentGroup& group : result.assessment->unseparated)
    words += "\n" + choir::words_of(group, result.n_components);
  return words;
}

}  // namespace

std::string component_table(const Result& result) {
  const bool gaps = !result.consensus_gap.empty();
  std::vector<std::string> header = {"component", "eigenvalue", "explained"};
  const Vector claims = result.assessment ? result.assessment->claimed_similarity : Vector();
  if (claims.size() > 0) header.push_back("claimed similarity");
  if (gaps) header.push_back("consensus gap");
  TextTable table(header);
  for (Index d = 0; d < result.n_components; ++d) {
    std::vector<std::string> row = {fmt::format("{}", d + 1), short_number(result.eigenvalues(d)),
                                    fmt::format("{:.2f}%", 100 * result.explained_variance_ratio(d))};
    if (claims.size() > 0) row.push_back(fmt::format("{:.3f}", claims(d)));
    if (gaps) row.push_back(fmt::format("{:.1e}", result.consensus_gap[static_cast<std::size_t>(d)]));
    table.add_row(std::move(row));
  }
  return table.text() + share_words(result) + separation_words(result);
}

std::string similarity_table(const Result& result, const std::vector<SimilarityColumn>& columns) {
  std::vector<std::string> header = {"similarity to central"};
  std::vector<Vector> means;
  for (const SimilarityColumn& column : columns) {
    const auto values = result.quality.find(column.key);
    if (values == result.quality.end()) continue;
    header.push_back(column.title);
    means.push_back(mean_over_nodes(values->second));
  }
  TextTable table(header);
  for (Index d = 0; d < result.n_components; ++d) {
    std::vector<std::string> row = {fmt::format("component {}", d + 1)};
    for (const Vector& mean : means) row.push_back(fmt::format("{:.4f}", mean(d)));
    table.add_row(row);
  }
  return table.text();
}

std::string sent_words(const Result& result) {
  return sent_words(result.ledger, result.nodes, "node", result.privacy.has_value());
}

std::string sent_words(const std::map<Kind, Traffic>& by_kind, Index nodes, std::string_view name,
                       bool noisy) {
  std::vector<std::string> parts;
  for (const Kind kind : all_kinds) {
    const auto entry = by_kind.find(kind);
    const std::uint64_t bytes = entry == by_kind.end() ? 0 : entry->second.bytes;
    if (bytes > 0) {
      parts.push_back(fmt::format("{}{} {}", noisy && kind == Kind::totals ? "noisy " : "", words_of(kind),
                                  human_bytes(static_cast<double>(bytes) / static_cast<double>(nodes))));
    } else if (kind == Kind::raw_samples || kind == Kind::centroids) {
      parts.push_back("no " + words_of(kind));
    }
  }
  return fmt::format("sent per {} (mean): {}", name, fmt::join(parts, ", "));
}

std::string ending_words(const Result& result) {
  if (!result.converged) return fmt::format("{} iterations, a run of fixed length", result.iterations);
  return fmt::format("{} after {} iteration{}", *result.converged ? "converged" : "NOT converged",
                     result.iterations, result.iterations == 1 ? "" : "s");
}

std::string not_converged_words(const Result& result) {
  const std::string advice =
      result.what_helps.empty() ? fmt::format("raise {} or --tol", result.if_longer) : result.what_helps;
  return fmt::format("not converged: {}; {}", distance_words(result), advice);
}

void describe_yardsticks(const Yardsticks& yardsticks, Result& result) {
  result.quality["local"] = yardsticks.local;
  result.quality["gather_own"] = yardsticks.gather_own;
  result.quality["gather_neighborhood"] = yardsticks.gather_neighborhood;
  result.quality["oracle"] = yardsticks.oracle;
  result.quality["oracle_neighborhood"] = yardsticks.oracle_neighborhood;
}

}  // namespace choir
