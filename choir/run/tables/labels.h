// Labels of tables: integers, values, or words, which become 0, 1, ... in their order.
//
//   const RawLabels own = labels_of(view, "labels.csv", rows);
//   const std::vector<std::string> classes = common_classes(facts_of_all);          // {"benign",
//   "malignant"} const std::vector<std::int64_t> labels = own.as_classes(classes, where);
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "choir/data/table.h"
#include "choir/linalg/types.h"

namespace choir {

// One per row, as numbers or as words; none of both: nobody asked for labels.
struct RawLabels {
  std::vector<double> numbers = {};
  std::vector<std::string> words = {};

  bool exist() const { return !numbers.empty() || !words.empty(); }
  // Throw Error(BadData), with `where` first, for a label that is no integer, no number, or none of the
  // classes; those are ascending words.
  std::vector<std::int64_t> integers(const std::string& where) const;
  std::vector<double> values(const std::string& where) const;
  std::vector<std::int64_t> classes(const std::vector<std::string>& names, const std::string& where) const;
};

// Of these rows of a column; numbers if it holds numbers. Throws Error(BadData) for a row without a label.
RawLabels labels_in(const Table& table, const Column& column, std::span<const Index> rows);
// The same of a file that has one per row of the table. Throws what reading throws, and Error(BadData) if it
// has others.
RawLabels labels_beside(const Table& table, const std::string& source, std::span<const Index> rows);

}  // namespace choir
