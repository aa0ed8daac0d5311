// What a csv table looks like, told from its first record, and its rows as numbers: what the reader of whole
// files and the stream share. csv_reader.h says what is understood.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "choir/data/dataset.h"
#include "choir/data/target_rule.h"

namespace choir {

struct CsvLayout {
  char separator = ',';
  Index columns = 0;
  std::vector<std::string> names;     // of the columns; empty: there is no header
  std::optional<Index> label_column;  // from 0; nothing if options.labels names no column
  std::optional<Index> key_column;

  bool has_header() const { return !names.empty(); }
  Index features() const { return columns - (label_column ? 1 : 0) - (key_column ? 1 : 0); }
  std::vector<std::string> feature_names() const;  // empty: there is no header
};

// The first record is the header or the first row. Throws Error(BadData) if options.key names no column.
CsvLayout csv_layout(std::string_view first_record, const std::string& name, const ReadOptions& options);

// The fields of a record, as its own separator makes them.
std::vector<std::string> csv_fields(std::string_view record);

// Where a row stands.
struct CsvPlace {
  Index row = 0;   // from 0, without the header
  Index line = 1;  // from 1
};

class CsvRowParser {
 public:
  CsvRowParser(CsvLayout layout, std::string name, bool allow_not_finite = false, TargetRule rule = {})
      : layout_(std::move(layout)),
        name_(std::move(name)),
        allow_not_finite_(allow_not_finite),
        rule_(std::move(rule)) {}

  // Fills the features (M); label and key are kept until the next row. Throws Error(BadData).
  void parse(std::string_view record, CsvPlace at, std::span<double> features);

  const CsvLayout& layout() const { return layout_; }
  double label() const { return label_; }
  const std::string& key() const { return key_; }
  // "x.csv: row 1 (line 2), column 3 (age)"
  std::string place(CsvPlace at, Index column) const;

 private:
  double value(std::string_view field, CsvPlace at, Index column, bool allow_not_finite) const;
  double target(std::string_view field, CsvPlace at, Index column) const;
  [[noreturn]] void refuse(std::string_view field, CsvPlace at, Index column) const;

  CsvLayout layout_;
  std::string name_;
  bool allow_not_finite_;
  TargetRule rule_;  // of the labels
  std::vector<std::string_view> fields_;
  double label_ = 0;
  std::string key_;
};

}  // namespace choir
