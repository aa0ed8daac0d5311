#include "choir/metrics/assignment.h"

#include <limits>
#include <utility>

#include "choir/base/error.h"

namespace choir {
namespace {

constexpr Index nobody = -1;

// One row after the other is brought in; each time the cheapest path of swaps that frees a column for it is
// searched, Dijkstra's way, on costs reduced by potentials so that none is negative.
class HungarianMethod {
 public:
  // rows <= columns
  explicit HungarianMethod(const Matrix& costs)
      : costs_(costs),
        row_potential_(Vector::Zero(costs.rows())),
        column_potential_(Vector::Zero(costs.cols())),
        row_of_column_(static_cast<std::size_t>(costs.cols()), nobody) {}

  std::vector<Index> row_of_column() {
    for (Index row = 0; row < costs_.rows(); ++row) bring_in(row);
    return row_of_column_;
  }

 private:
  Index& row_of(Index column) { return row_of_column_[static_cast<std::size_t>(column)]; }

  void bring_in(Index new_row) {
    const Index columns = costs_.cols();
    Vector distance = Vector::Constant(columns, std::numeric_limits<double>::infinity());
    std::vector<Index> previous(static_cast<std::size_t>(columns), nobody);  // column before it on its path
    std::vector<Index> settled;
    std::vector<bool> is_settled(static_cast<std::size_t>(columns), false);

    Index column = nobody;  // the path so far ends in the row that owns this column
    Index row = new_row;
    double length = 0;
    while (row != nobody) {
      Index nearest = nobody;
      for (Index next = 0; next < columns; ++next) {
        if (is_settled[static_cast<std::size_t>(next)]) continue;
        const double through = length + costs_(row, next) - row_potential_[row] - column_potential_[next];
        if (through < distance[next]) {
          distance[next] = through;
          previous[static_cast<std::size_t>(next)] = column;
        }
        if (nearest == nobody || distance[next] < distance[nearest]) nearest = next;
      }
      column = nearest;
      length = distance[column];
      is_settled[static_cast<std::size_t>(column)] = true;
      settled.push_back(column);
      row = row_of(column);
    }
    raise_potentials(new_row, settled, distance, length);
    for (Index end = column; end != nobody;) {  // everyone on the path takes the next column
      const Index before = previous[static_cast<std::size_t>(end)];
      row_of(end) = before == nobody ? new_row : row_of(before);
      end = before;
    }
  }

  // Keeps reduced costs non-negative, and zero along the path.
  void raise_potentials(Index new_row, const std::vector<Index>& settled, const Vector& distance,
                        double length) {
    row_potential_[new_row] += length;
    for (const Index column : settled) {
      const double slack = length - distance[column];
      column_potential_[column] -= slack;
      if (row_of(column) != nobody) row_potential_[row_of(column)] += slack;
    }
  }

  const Matrix& costs_;
  Vector row_potential_;
  Vector column_potential_;
  std::vector<Index> row_of_column_;
};

void require_usable(const MatrixView<double>& matrix) {
  if (matrix.size() == 0) {
    fail(ErrorCategory::InvalidArgument, "a {} x {} matrix has nothing to pair", matrix.rows(),
         matrix.cols());
  }
  if (!matrix.allFinite()) {
    fail(ErrorCategory::InvalidArgument, "the {} x {} matrix to pair by has a NaN or an infinity",
         matrix.rows(), matrix.cols());
  }
}

// sign = -1 turns gains into costs.
Assignment assign(const MatrixView<double>& matrix, double sign) {
  require_usable(matrix);
  const bool tall = matrix.rows() > matrix.cols();
  const Matrix costs = tall ? Matrix(sign * matrix.transpose()) : Matrix(sign * matrix);
  const std::vector<Index> partner = HungarianMethod(costs).row_of_column();
  Assignment result;
  result.column_of_row.assign(static_cast<std::size_t>(matrix.rows()), nobody);
  for (Index i = 0; i < static_cast<Index>(partner.size()); ++i) {
    const Index other = partner[static_cast<std::size_t>(i)];
    if (other == nobody) continue;
    const auto [row, column] = tall ? std::pair(i, other) : std::pair(other, i);
    result.column_of_row[static_cast<std::size_t>(row)] = column;
    result.total += matrix(row, column);
  }
  return result;
}

}  // namespace

Assignment cheapest_assignment(const MatrixView<double>& costs) { return assign(costs, 1); }

Assignment richest_assignment(const MatrixView<double>& gains) { return assign(gains, -1); }

}  // namespace choir
