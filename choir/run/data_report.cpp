#include "choir/run/data_report.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/data/dataset.h"
#include "choir/data/table_info.h"
#include "choir/report/text_table.h"

namespace choir {
namespace {

constexpr std::size_t most_lines = 200;

struct FileInfo {
  DataInfo whole;
  std::vector<ColumnInfo> columns = {};  // of a table
  std::vector<std::pair<std::string, Index>> classes = {};
};

// Columns that have nothing to tell but their numbers need no lines.
bool is_worth_lines(const Table& table) {
  return table.has_names() || std::ranges::any_of(table.columns, [](const Column& column) {
           return !column.words.empty() || column.missing() > 0;
         });
}

FileInfo info_of_table(Table table, const std::string& labels) {
  FileInfo info;
  if (const std::optional<Index> column = table.find(labels)) {
    info.classes = class_counts(table.columns[static_cast<std::size_t>(*column)]);
    table.columns.erase(table.columns.begin() + *column);
  } else if (!labels.empty()) {
    // The reader of numbers knows files of labels, and says what is wrong with them.
    const Dataset labelled = read_dataset(table.source, {.labels = labels, .allow_not_finite = true});
    for (const auto& [label, count] : describe(labelled).label_counts)
      info.classes.emplace_back(fmt::format("{}", label), count);
  }
  info.whole = describe(table);
  if (is_worth_lines(table)) info.columns = describe_columns(table);
  return info;
}

FileInfo info_of(const std::string& file, const std::string& labels) {
  if (std::optional<Table> table = read_text_table(file)) return info_of_table(*std::move(table), labels);
  FileInfo info;
  info.whole = describe(read_dataset(file, {.labels = labels, .allow_not_finite = true}));
  for (const auto& [label, count] : info.whole.label_counts)
    info.classes.emplace_back(fmt::format("{}", label), count);
  return info;
}

nlohmann::ordered_json json_of(const ColumnInfo& column) {
  nlohmann::ordered_json json = {{"name", column.name},
                                 {"type", to_string(column.type)},
                                 {"missing", column.missing},
                                 {"distinct", column.distinct},
                                 {"constant", column.is_constant},
                                 {"looks_like_identifier", column.looks_like_identifier}};
  if (!column.quartiles.empty()) json["quartiles"] = column.quartiles;
  for (const auto& [word, count] : column.most_frequent) json["most_frequent"][word] = count;
  return json;
}

nlohmann::ordered_json json_of(const FileInfo& file) {
  const auto optional = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  const DataInfo& info = file.whole;
  nlohmann::ordered_json json = {{"file", info.source},
                                 {"type", info.type},
                                 {"samples", info.samples},
                                 {"features", info.features},
                                 {"minimum", optional(info.minimum)},
                                 {"maximum", optional(info.maximum)},
                                 {"mean", optional(info.mean)},
                                 {"nan", info.nan_count},
                                 {"infinite", info.infinite_count},
                                 {"constant_features", info.constant_features}};
  for (const auto& [label, count] : file.classes) json["labels"][label] = count;
  for (const ColumnInfo& column : file.columns) json["columns"].push_back(json_of(column));
  return json;
}

std::string values_of(const ColumnInfo& column) {
  std::vector<std::string> words;
  for (const double quartile : column.quartiles) words.push_back(short_number(quartile));
  if (!words.empty()) return fmt::format("{}", fmt::join(words, " "));
  for (const auto& [word, count] : column.most_frequent) words.push_back(fmt::format("{}:{}", word, count));
  return words.empty() ? "-" : fmt::format("{}", fmt::join(words, " "));
}

std::string column_lines(const std::vector<ColumnInfo>& columns) {
  TextTable table({"column", "type", "missing", "distinct", "quartiles, or most frequent", "note"});
  for (std::size_t i = 0; i < std::min(columns.size(), most_lines); ++i) {
    const ColumnInfo& column = columns[i];
    table.add_row({column.name, std::string(to_string(column.type)), fmt::format("{}", column.missing),
                   fmt::format("{}", column.distinct), values_of(column), column.advice()});
  }
  std::string text = table.text();
  if (columns.size() > most_lines)
    text += fmt::format("\nand {} columns more; --json has all", columns.size() - most_lines);
  return text;
}

std::string file_lines(const std::vector<FileInfo>& files) {
  TextTable table(
      {"file", "type", "samples", "features", "minimum", "maximum", "mean", "NaN", "inf", "constant"});
  for (const FileInfo& file : files) {
    const DataInfo& info = file.whole;
    const auto value = [](const std::optional<double>& v) { return v ? short_number(*v) : std::string("-"); };
    table.add_row({info.source, info.type, fmt::format("{}", info.samples), fmt::format("{}", info.features),
                   value(info.minimum), value(info.maximum), value(info.mean),
                   fmt::format("{}", info.nan_count), fmt::format("{}", info.infinite_count),
                   fmt::format("{}", info.constant_features)});
  }
  return table.text();
}

}  // namespace

DataReport report_on_data(const std::vector<std::string>& files, const std::string& labels) {
  std::vector<FileInfo> infos;
  DataReport report;
  for (const std::string& file : files) {
    infos.push_back(info_of(file, labels));
    report.json.push_back(json_of(infos.back()));
  }
  report.text = file_lines(infos);
  std::string classes;
  for (const FileInfo& info : infos) {
    if (!info.columns.empty()) report.text += fmt::format("\n\n{}", column_lines(info.columns));
    for (const auto& [label, count] : info.classes) classes += fmt::format(" {}:{}", label, count);
  }
  if (!classes.empty()) report.text += "\nlabels" + classes;
  return report;
}

}  // namespace choir
