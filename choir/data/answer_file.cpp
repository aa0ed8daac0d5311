#include "choir/data/answer_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "choir/base/error.h"
#include "choir/codec/files.h"
#include "choir/data/writer.h"

namespace choir {
namespace {

constexpr std::array<std::string_view, 5> extensions_of_answers = {".csv", ".tsv", ".ndjson", ".npy", ".npz"};

Index rows_of(const AnswerFile& answer) {
  return answer.predicted.words.empty() ? answer.values.rows() : std::ssize(answer.predicted.words);
}

void require_one_per_row(const WordColumn& column, Index rows) {
  if (column.words.empty() || std::ssize(column.words) == rows) return;
  fail(ErrorCategory::InvalidArgument, "there are {} of {} for {} rows", column.words.size(), column.name,
       rows);
}

// Columns of words as they come before the values.
std::vector<const WordColumn*> word_columns(const AnswerFile& answer) {
  std::vector<const WordColumn*> columns;
  for (const WordColumn* column : {&answer.ids, &answer.labels, &answer.predicted}) {
    if (!column->words.empty()) columns.push_back(column);
  }
  return columns;
}

std::string separated(const AnswerFile& answer, char separator) {
  std::string text;
  const auto add = [&](bool first, const std::string& field) {
    if (!first) text += separator;
    text += field;
  };
  const std::vector<const WordColumn*> columns = word_columns(answer);
  if (answer.with_header) {
    bool first = true;
    for (const WordColumn* column : columns) add(std::exchange(first, false), csv_field(column->name));
    for (const std::string& name : answer.names) add(std::exchange(first, false), csv_field(name));
    text += '\n';
  }
  for (Index n = 0; n < rows_of(answer); ++n) {
    bool first = true;
    for (const WordColumn* column : columns)
      add(std::exchange(first, false), csv_field(column->words[static_cast<std::size_t>(n)]));
    for (Index d = 0; d < answer.values.cols(); ++d)
      add(std::exchange(first, false), fmt::format("{}", answer.values(n, d)));
    text += '\n';
  }
  return text;
}

std::string json_lines(const AnswerFile& answer) {
  std::string text;
  for (Index n = 0; n < rows_of(answer); ++n) {
    nlohmann::ordered_json line;
    for (const WordColumn* column : word_columns(answer))
      line[column->name] = column->words[static_cast<std::size_t>(n)];
    for (Index d = 0; d < answer.values.cols(); ++d)
      line[answer.names[static_cast<std::size_t>(d)]] = answer.values(n, d);
    text += line.dump() + '\n';
  }
  return text;
}

}  // namespace

void require_writable(const std::filesystem::path& path, bool replace) {
  std::error_code none;
  const bool is_file = std::filesystem::is_regular_file(path, none);
  if (is_file && !replace)
    fail(ErrorCategory::InvalidArgument, "{} exists; choose another --out, or use --force to replace it",
         path.string());
  const bool exists = std::filesystem::exists(path, none);
  if (exists && !is_file && !std::filesystem::is_directory(path, none)) return;
  if (std::ranges::count(extensions_of_answers, path.extension().string()) > 0) return;
  fail(ErrorCategory::InvalidArgument,
       "cannot write {}: the name must end in .npy, .npz, .csv, .tsv or .ndjson", path.string());
}

void write_answer(const std::filesystem::path& path, const AnswerFile& answer) {
  for (const WordColumn* column : word_columns(answer)) require_one_per_row(*column, rows_of(answer));
  const std::string extension = path.extension().string();
  if (extension == ".npy" || extension == ".npz") {
    if (!answer.integers.empty()) return write_labels(path, answer.integers);
    if (!answer.predicted.words.empty())
      fail(ErrorCategory::InvalidArgument,
           "words cannot be written into {}; name a .csv, .tsv or .ndjson file", path.string());
    return write_matrix(path, answer.values);
  }
  const std::string text =
      extension == ".ndjson" ? json_lines(answer) : separated(answer, extension == ".tsv" ? '\t' : ',');
  write_file_atomically(path, text, Privacy::owner_only);
}

}  // namespace choir
