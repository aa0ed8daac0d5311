#include "choir/run/private_result.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/report/text_table.h"

namespace choir {
namespace {

constexpr double rounding = 1e-9;  // of shares that add up to 1

void require(bool holds, const std::string& what) {
  if (holds) return;
  throw Error(ErrorCategory::Internal,
              what + "; nothing was kept, but the budget stays charged: please report this");
}

std::vector<std::string> not_covered(Index nodes, const std::string& uncounted) {
  std::vector<std::string> sentences = {
      "the promise is for each sample: for a person with k samples rho is k^2 times as large",
      "numbers of samples, shapes, options and names of classes count as public",
      "timing, memory, and the number and sizes of messages are not covered",
      "scores and predictions of a node's own samples are for that node alone"};
  if (nodes > 1) {
    const Index colluders = assumed_colluders(nodes);
    sentences.push_back(fmt::format(
        "up to {} of {} nodes may pool what they know; more of them could take their own noise out "
        "of the totals, and nodes that add less noise than they should weaken the promise, too",
        colluders, nodes));
  }
  if (!uncounted.empty()) sentences.push_back(uncounted);
  return sentences;
}

std::string words_of(const PrivacyReport& report) {
  TextTable table({"released", "sensitivity", "noise (sigma)", "rho"});
  for (const Release& release : report.releases) {
    table.add_row({release.what, short_number(release.sensitivity), short_number(release.sigma()),
                   short_number(release.rho)});
  }
  std::string words = fmt::format("differential privacy: epsilon {}, delta {} for each sample\n{}",
                                  *report.asked.epsilon, report.asked.delta, table.text());
  if (!report.left_out.empty()) words += fmt::format("\nleft out:\n  {}", fmt::join(report.left_out, "\n  "));
  return words;
}

}  // namespace

void complete_privacy(const PrivacyOptions& asked, const PrivacyCharge& charge, Result& result) {
  require(result.privacy.has_value(), result.method + " does not say what it has released");
  PrivacyReport& report = *result.privacy;
  require(report.asked.epsilon == asked.epsilon && report.asked.delta == asked.delta,
          result.method + " has kept another promise than the one asked for");
  require(!report.releases.empty(), result.method + " names nothing that it has released");
  require(report.rho() <= charge.rho * (1 + rounding), result.method + " has released more than was charged");
  std::vector<std::string> sentences = not_covered(result.nodes, charge.uncounted);
  sentences.insert(sentences.end(), report.limitations.begin(), report.limitations.end());
  report.limitations = std::move(sentences);
  result.text += "\n" + words_of(report);
}

void require_private(const Result& result, const MethodInfo& info) {
  const std::pair<const char*, bool> fields[] = {
      {"residual", result.residual.has_value()},
      {"change", result.change.has_value()},
      {"consensus_gap", !result.consensus_gap.empty()},
      {"between_node_variance", result.between_node_variance.has_value()},
      {"assessment", result.assessment.has_value()},
      {"quality", !result.quality.empty()},
      {"quality_numbers", !result.quality_numbers.empty()},
      {"embedding", result.embedding.has_value()},
      {"decision", result.decision.has_value()},
      {"confusion", result.confusion.has_value()},
      {"metrics", !result.metrics.empty()},
      {"numbers", !result.numbers.empty()}};
  const auto require_absent = [&](const std::string& name, bool is_there) {
    require(!is_there, fmt::format("under --privacy the result of {} holds '{}', which was not charged",
                                   info.name, name));
  };
  for (const auto& [name, filled] : fields) require_absent(name, filled);
  for (const auto& [name, fact] : result.facts.entries())
    require_absent(name, std::ranges::find(info.private_facts, name) == info.private_facts.end());
}

void require_private(const Contract& contract) {
  constexpr KindSet allowed{Kind::masked, Kind::totals, Kind::coefficients, Kind::control};
  for (const Kind kind : contract.kinds.list()) {
    if (allowed.has(kind)) continue;
    fail(ErrorCategory::Internal,
         "under --privacy {} would send '{}', which carries no noise; nothing was sent: please report this",
         contract.method, to_string(kind));
  }
}

}  // namespace choir
