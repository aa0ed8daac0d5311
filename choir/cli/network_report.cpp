#include "choir/cli/network_report.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/text.h"
#include "choir/report/text_table.h"
#include "choir/runtime/kind.h"

namespace choir::cli {
namespace {

// "raw_samples" as people write it.
std::string words_of(Kind kind) {
  std::string words(to_string(kind));
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string without_numbers(const std::string& text) {
  std::string words;
  std::copy_if(text.begin(), text.end(), std::back_inserter(words),
               [](unsigned char c) { return std::isdigit(c) == 0 && c != '.'; });
  return words;
}

}  // namespace

Json list_of(const Vector& values) { return Json(std::vector<double>(values.begin(), values.end())); }

Vector vector_of(const Json& list) {
  const auto values = list.get<std::vector<double>>();
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

void add_notes(const std::vector<std::string>& notes, RunResult& result) {
  for (const std::string& note : notes) {
    const bool known = std::find(result.notes.begin(), result.notes.end(), note) != result.notes.end();
    if (!note.empty() && !known) result.notes.push_back(note);
  }
}

double largest(const std::vector<Json>& nodes, const char* key) {
  double result = 0;
  for (const Json& node : nodes) result = std::max(result, node.at(key).get<double>());
  return result;
}

double total(const std::vector<Json>& nodes, const char* key) {
  double sum = 0;
  for (const Json& node : nodes) sum += node.at(key).get<double>();
  return sum;
}

void add_similar_notes(const std::vector<Json>& nodes, RunResult& result) {
  std::map<std::string, std::vector<std::string>> by_words;
  for (const Json& node : nodes) {
    for (const auto& note : node.at("notes").get<std::vector<std::string>>()) {
      by_words[without_numbers(note)].push_back(note);
    }
  }
  for (const auto& [words, notes] : by_words) {
    const auto others = std::count_if(notes.begin(), notes.end(),
                                      [&](const std::string& note) { return note != notes.front(); });
    const std::string more =
        fmt::format("; {} other node{} so with other numbers", others, others == 1 ? " says" : "s say");
    result.notes.push_back(notes.front() + (others > 0 ? more : ""));
  }
}

void describe_yardsticks(const Yardsticks& yardsticks, RunResult& result) {
  result.quality["local"] = yardsticks.local;
  result.quality["gather_own"] = yardsticks.gather_own;
  result.quality["gather_neighborhood"] = yardsticks.gather_neighborhood;
  result.quality["oracle"] = yardsticks.oracle;
}

std::string eigenvalue_table(const RunResult& result) {
  Table table({"component", "eigenvalue", "explained"});
  for (Index d = 0; d < result.n_components; ++d) {
    table.add_row({fmt::format("{}", d + 1), number(result.eigenvalues(d)),
                   fmt::format("{:.2f}%", 100 * result.explained_variance_ratio(d))});
  }
  return table.text();
}

std::string similarity_table(const RunResult& result, const std::vector<SimilarityColumn>& columns) {
  std::vector<std::string> header = {"similarity to central"};
  std::vector<Vector> means;
  for (const SimilarityColumn& column : columns) {
    const auto values = result.quality.find(column.key);
    if (values == result.quality.end()) continue;
    header.push_back(column.title);
    means.push_back(mean_over_nodes(values->second));
  }
  Table table(header);
  for (Index d = 0; d < result.n_components; ++d) {
    std::vector<std::string> row = {fmt::format("component {}", d + 1)};
    for (const Vector& mean : means) row.push_back(fmt::format("{:.4f}", mean(d)));
    table.add_row(row);
  }
  return table.text();
}

std::string sent_words(const RunResult& result) { return sent_words(result.ledger, result.nodes, "node"); }

std::string sent_words(const std::map<std::string, KindCount>& by_kind, Index nodes, std::string_view name) {
  std::vector<std::string> parts;
  for (const Kind kind : all_kinds) {
    const auto entry = by_kind.find(std::string(to_string(kind)));
    const std::uint64_t bytes = entry == by_kind.end() ? 0 : entry->second.bytes;
    if (bytes > 0) {
      const double mean = static_cast<double>(bytes) / static_cast<double>(nodes);
      parts.push_back(fmt::format("{} {}", words_of(kind), human_bytes(mean)));
    } else if (kind == Kind::raw_samples || kind == Kind::centroids) {
      parts.push_back("no " + words_of(kind));
    }
  }
  return fmt::format("sent by a {} (mean): {}", name, fmt::join(parts, ", "));
}

}  // namespace choir::cli
