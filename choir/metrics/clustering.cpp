#include "choir/metrics/clustering.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include "choir/metrics/assignment.h"
#include "choir/metrics/checks.h"

namespace choir {
namespace {

// How many samples each class and cluster share. Only pairs that occur are kept: with very many clusters
// the full table would be larger than the data.
struct Contingency {
  struct Cell {
    Index row;
    Index column;
    double count;
  };
  double samples = 0;
  std::vector<double> row_sums;     // by class
  std::vector<double> column_sums;  // by cluster
  std::vector<Cell> cells;
};

// The place of a label among those seen so far.
Index number_of(std::unordered_map<std::int64_t, Index>& numbers, std::int64_t label) {
  return numbers.try_emplace(label, static_cast<Index>(numbers.size())).first->second;
}

Contingency contingency(Labels truth, Labels predicted) {
  require_same_length(truth, predicted);
  std::unordered_map<std::int64_t, Index> rows;
  std::unordered_map<std::int64_t, Index> columns;
  std::map<std::pair<Index, Index>, Index> counts;  // ordered, so that sums are added in a fixed order
  for (std::size_t i = 0; i < truth.size(); ++i) {
    ++counts[{number_of(rows, truth[i]), number_of(columns, predicted[i])}];
  }
  Contingency table;
  table.samples = static_cast<double>(truth.size());
  table.row_sums.assign(rows.size(), 0);
  table.column_sums.assign(columns.size(), 0);
  for (const auto& [place, count] : counts) {
    const auto value = static_cast<double>(count);
    table.cells.push_back({place.first, place.second, value});
    table.row_sums[static_cast<std::size_t>(place.first)] += value;
    table.column_sums[static_cast<std::size_t>(place.second)] += value;
  }
  return table;
}

double entropy(const std::vector<double>& counts, double total) {
  double sum = 0;
  for (const double count : counts) sum -= count / total * std::log(count / total);
  return std::max(0.0, sum);
}

double mutual_information(const Contingency& table) {
  double sum = 0;
  for (const auto& [row, column, count] : table.cells) {
    const double by_chance =
        table.row_sums[static_cast<std::size_t>(row)] * table.column_sums[static_cast<std::size_t>(column)];
    sum += count / table.samples * std::log(count * table.samples / by_chance);
  }
  return std::max(0.0, sum);
}

double pairs_within(const std::vector<double>& counts) {
  double sum = 0;
  for (const double count : counts) sum += count * (count - 1) / 2;
  return sum;
}

}  // namespace

double normalized_mutual_info(Labels truth, Labels predicted) {
  const Contingency table = contingency(truth, predicted);
  if (table.row_sums.size() == 1 && table.column_sums.size() == 1) return 1;  // nothing to tell apart
  const double mutual = mutual_information(table);
  if (mutual <= std::numeric_limits<double>::epsilon()) return 0;
  const double mean =
      (entropy(table.row_sums, table.samples) + entropy(table.column_sums, table.samples)) / 2;
  return std::min(1.0, mutual / mean);
}

double adjusted_rand_index(Labels truth, Labels predicted) {
  const Contingency table = contingency(truth, predicted);
  std::vector<double> shared;
  for (const auto& cell : table.cells) shared.push_back(cell.count);
  const double together_in_both = pairs_within(shared);
  const double together_in_truth = pairs_within(table.row_sums);
  const double together_in_clusters = pairs_within(table.column_sums);
  if (together_in_both == together_in_truth && together_in_both == together_in_clusters) return 1;
  const double by_chance =
      together_in_truth * together_in_clusters / (table.samples * (table.samples - 1) / 2);
  const double at_best = (together_in_truth + together_in_clusters) / 2;
  return (together_in_both - by_chance) / (at_best - by_chance);
}

double clustering_accuracy(Labels truth, Labels predicted) {
  const Contingency table = contingency(truth, predicted);
  Matrix counts =
      Matrix::Zero(static_cast<Index>(table.row_sums.size()), static_cast<Index>(table.column_sums.size()));
  for (const auto& [row, column, count] : table.cells) counts(row, column) = count;
  return richest_assignment(counts).total / table.samples;
}

}  // namespace choir
