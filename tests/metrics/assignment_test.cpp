#include "choir/metrics/assignment.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "graph/expect_error.h"
#include "metrics/samples.h"

namespace choir {
namespace {

using testing::expect_error;

// np.array([[((7*i*i + 13*j*j + 5*i*j + 3*i + 11*j) % 101) / 10 for j in range(c)] for i in range(r)])
Matrix quadratic_residues(Index rows, Index columns) {
  Matrix matrix(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      matrix(i, j) = static_cast<double>((7 * i * i + 13 * j * j + 5 * i * j + 3 * i + 11 * j) % 101) / 10;
    }
  }
  return matrix;
}

using Columns = std::vector<Index>;

TEST(Assignment, EqualsScipy) {
  EXPECT_EQ(cheapest_assignment(quadratic_residues(4, 4)).column_of_row, (Columns{3, 0, 2, 1}));
  EXPECT_NEAR(cheapest_assignment(quadratic_residues(4, 4)).total, 9.6, 1e-12);
  EXPECT_EQ(cheapest_assignment(quadratic_residues(5, 8)).column_of_row, (Columns{0, 5, 7, 1, 3}));
  EXPECT_NEAR(cheapest_assignment(quadratic_residues(5, 8)).total, 6.2, 1e-12);
  EXPECT_NEAR(cheapest_assignment(quadratic_residues(8, 5)).total, 4.1, 1e-12);
  EXPECT_NEAR(cheapest_assignment(quadratic_residues(30, 30)).total, 15.2, 1e-12);
  EXPECT_EQ(cheapest_assignment(quadratic_residues(1, 6)).column_of_row, (Columns{0}));
}

TEST(Assignment, MaximisesGains) {
  Matrix gains(3, 3);
  gains << 4, 1, 3, 2, 0, 5, 3, 2, 2;
  EXPECT_EQ(richest_assignment(gains).column_of_row, (Columns{0, 2, 1}));
  EXPECT_EQ(richest_assignment(gains).total, 11);
  EXPECT_EQ(cheapest_assignment(gains).column_of_row, (Columns{1, 0, 2}));
}

TEST(Assignment, LeavesRowsAloneWhenColumnsAreFew) {
  Matrix costs(3, 1);
  costs << 5, -1, 3;
  EXPECT_EQ(cheapest_assignment(costs).column_of_row, (Columns{-1, 0, -1}));
  EXPECT_EQ(cheapest_assignment(costs).total, -1);
}

double best_by_trying_all(const Matrix& costs) {
  std::vector<Index> columns(static_cast<std::size_t>(costs.cols()));
  std::iota(columns.begin(), columns.end(), Index{0});
  double best = std::numeric_limits<double>::infinity();
  do {
    double total = 0;
    for (Index row = 0; row < costs.rows(); ++row)
      total += costs(row, columns[static_cast<std::size_t>(row)]);
    best = std::min(best, total);
  } while (std::next_permutation(columns.begin(), columns.end()));
  return best;
}

TEST(Assignment, EqualsTryingAllPermutations) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto rows = static_cast<Index>(1 + seed % 6);
    Matrix costs = testing::random_matrix(rows, 6, seed);
    if (seed % 3 == 0) costs = costs.array().round();  // ties
    const double best = best_by_trying_all(costs);
    const Assignment wide = cheapest_assignment(costs);
    EXPECT_NEAR(wide.total, best, 1e-12);
    EXPECT_NEAR(cheapest_assignment(costs.transpose()).total, best, 1e-12);
    EXPECT_NEAR(richest_assignment(-costs).total, -best, 1e-12);
    Columns used = wide.column_of_row;
    std::sort(used.begin(), used.end());
    EXPECT_EQ(std::adjacent_find(used.begin(), used.end()), used.end());
    EXPECT_GE(used.front(), 0);
  }
}

TEST(Assignment, RefusesNothingAndNoNumbers) {
  expect_error(ErrorCategory::InvalidArgument, {"0 x 3", "nothing"},
               [] { cheapest_assignment(Matrix(0, 3)); });
  Matrix costs = Matrix::Ones(2, 2);
  costs(1, 0) = std::numeric_limits<double>::quiet_NaN();
  expect_error(ErrorCategory::InvalidArgument, {"2 x 2", "NaN"}, [&] { richest_assignment(costs); });
}

}  // namespace
}  // namespace choir
