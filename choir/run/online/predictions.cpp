#include "choir/run/online/predictions.h"

#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/codec/files.h"
#include "choir/data/writer.h"

namespace choir {
namespace {

constexpr std::string_view header = "node,sample,target,prediction\n";

// Whether a run that continues has learned from the sample of a line.
bool is_learned(std::string_view line, const std::map<NodeId, std::uint64_t>& learned) {
  const std::vector<std::string_view> fields = split(line, ',');
  if (fields.size() < 4) return false;
  const std::optional<std::int64_t> node = parse_integer(fields[0]);
  const std::optional<std::int64_t> sample = parse_integer(fields[1]);
  if (!node || !sample) return false;
  const auto found = learned.find(static_cast<NodeId>(*node));
  return found != learned.end() && static_cast<std::uint64_t>(*sample) <= found->second;
}

// The whole lines that stay.
std::string kept_lines(const std::filesystem::path& path, const std::map<NodeId, std::uint64_t>& learned) {
  std::string kept(header);
  if (learned.empty() || !std::filesystem::exists(path)) return kept;
  std::ifstream before(path);
  for (std::string line; std::getline(before, line) && !before.eof();) {
    if (is_learned(line, learned)) kept += line + '\n';
  }
  return kept;
}

double answer(const Matrix& scores, Index n, bool are_classes) {
  if (!are_classes) return scores(n, 0);
  Index best = 0;
  scores.row(n).maxCoeff(&best);
  return static_cast<double>(best);
}

}  // namespace

PredictionFile::PredictionFile(std::filesystem::path path, ClassNames classes,
                               const std::map<NodeId, std::uint64_t>& learned)
    : path_(std::move(path)), classes_(std::move(classes)) {
  write_file_atomically(path_, kept_lines(path_, learned), Privacy::owner_only);
  file_.open(path_, std::ios::app);
  if (!file_) fail(ErrorCategory::Io, "cannot write {}", path_.string());
}

std::string PredictionFile::text_of(double place_or_value) const {
  if (classes_.empty()) return fmt::format("{}", place_or_value);
  const auto place = static_cast<std::size_t>(place_or_value);
  if (classes_.words.empty()) return std::to_string(classes_.labels[place]);
  return csv_field(classes_.words[place]);
}

void PredictionFile::add(NodeId node, std::uint64_t before, const Matrix& scores, const Vector& targets) {
  std::string lines;
  for (Index n = 0; n < targets.size(); ++n) {
    fmt::format_to(std::back_inserter(lines), "{},{},{},{}\n", node,
                   before + static_cast<std::uint64_t>(n) + 1, text_of(targets[n]),
                   text_of(answer(scores, n, !classes_.empty())));
  }
  const std::lock_guard lock(mutex_);
  file_ << lines << std::flush;
  if (!file_) fail(ErrorCategory::Io, "cannot write {}", path_.string());
}

}  // namespace choir
