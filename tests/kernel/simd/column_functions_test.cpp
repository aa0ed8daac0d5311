#include "choir/kernel/simd/column_functions.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "choir/base/rng.h"

namespace choir {
namespace {

template <class Scalar>
std::vector<const ColumnFunctions<Scalar>*> available() {
  std::vector<const ColumnFunctions<Scalar>*> tables;
  for (const auto set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
    if (const auto* table = column_functions<Scalar>(set)) tables.push_back(table);
  }
  return tables;
}

template <class Scalar>
class ColumnFunctionsTest : public ::testing::Test {
 protected:
  static std::vector<Scalar> values(std::ptrdiff_t n, std::uint64_t seed) {
    Rng rng(seed, Purpose("column"));
    std::vector<Scalar> column(static_cast<std::size_t>(n));
    for (Scalar& value : column) value = static_cast<Scalar>(rng.uniform(-3, 3));
    return column;
  }

  // Compares with the formula in double; lengths around every vector width, so that ends are covered.
  template <class Run, class Formula>
  static void expect_formula(Run run, Formula formula, double ulps) {
    for (const auto* table : available<Scalar>()) {
      for (const std::ptrdiff_t n : {0, 1, 3, 8, 16, 17, 31, 100}) {
        const auto input = values(n, 1), other = values(n, 2);
        auto column = input;
        run(*table, n, column.data(), other.data());
        for (std::size_t i = 0; i < column.size(); ++i) {
          const double truth = formula(double{input[i]}, double{other[i]});
          const double allowed = ulps * std::numeric_limits<Scalar>::epsilon() * (1 + std::abs(truth));
          EXPECT_NEAR(column[i], truth, allowed) << i << " of " << n;
        }
      }
    }
  }
};

using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ColumnFunctionsTest, Scalars);

TYPED_TEST(ColumnFunctionsTest, AreTheirFormulas) {
  using S = TypeParam;
  using Table = ColumnFunctions<S>;
  const S a{0.5}, b{0.25};
  this->expect_formula([=](const Table& t, auto n, S* c, const S* o) { t.rbf(n, c, o, a, b); },
                       [](double v, double o) { return std::exp(-0.25 * std::max(0.0, o + 0.5 - 2 * v)); },
                       10);
  this->expect_formula([=](const Table& t, auto n, S* c, const S*) { t.laplacian(n, c, a); },
                       [](double v, double) { return std::exp(-0.5 * v); }, 4);
  this->expect_formula([=](const Table& t, auto n, S* c, const S*) { t.sigmoid(n, c, a, b); },
                       [](double v, double) { return std::tanh(0.5 * v + 0.25); }, 4);
  this->expect_formula([=](const Table& t, auto n, S* c, const S* o) { t.scale(n, c, o, a); },
                       [](double v, double o) { return v * o * 0.5; }, 4);
  this->expect_formula([=](const Table& t, auto n, S* c, const S* o) { t.cosine(n, c, o, a); },
                       [](double v, double o) { return 0.5 * std::cos(v + o); }, 10);
  for (int degree = 1; degree <= 12; ++degree) {
    this->expect_formula([=](const Table& t, auto n, S* c, const S*) { t.poly(n, c, a, b, degree); },
                         [=](double v, double) { return std::pow(0.5 * v + 0.25, degree); }, 2 * degree + 4);
  }
}

TYPED_TEST(ColumnFunctionsTest, AValueDoesNotDependOnItsPlace) {
  using S = TypeParam;
  for (const auto* table : available<S>()) {
    const auto norms = this->values(67, 3);
    auto whole = this->values(67, 4), parts = whole;
    table->rbf(67, whole.data(), norms.data(), S{1}, S{0.3F});
    for (std::ptrdiff_t i = 0; i < 67; i += 5) {
      table->rbf(std::min<std::ptrdiff_t>(5, 67 - i), parts.data() + i, norms.data() + i, S{1}, S{0.3F});
    }
    EXPECT_EQ(whole, parts);
  }
}

TYPED_TEST(ColumnFunctionsTest, NotANumberStaysOne) {
  using S = TypeParam;
  for (const auto* table : available<S>()) {
    std::vector<S> column(20, std::numeric_limits<S>::quiet_NaN());
    const std::vector<S> norms(20, S{1});
    table->rbf(20, column.data(), norms.data(), S{1}, S{1});
    for (const S value : column) EXPECT_TRUE(std::isnan(value));
  }
}

TYPED_TEST(ColumnFunctionsTest, AddsUpInDouble) {
  using S = TypeParam;
  for (const auto* table : available<S>()) {
    const auto column = this->values(77, 5);
    std::vector<double> sums(77, 1.0);
    const double total = table->add_to(77, column.data(), sums.data());
    double truth = 0;
    for (std::size_t i = 0; i < 77; ++i) {
      EXPECT_EQ(sums[i], 1.0 + double{column[i]});
      truth += double{column[i]};
    }
    EXPECT_NEAR(total, truth, 1e-13);
  }
}

TYPED_TEST(ColumnFunctionsTest, L1DistancesOfAnyShape) {
  using S = TypeParam;
  for (const auto* table : available<S>()) {
    for (const std::ptrdiff_t features : {1, 5, 16, 37}) {
      const std::ptrdiff_t rows = 7, columns = 5, stride = features + 2, tile_stride = rows + 1;
      const auto x = this->values(rows * stride, 6), y = this->values(columns * stride, 7);
      std::vector<S> tile(static_cast<std::size_t>(columns * tile_stride));
      table->l1_distances(features, rows, x.data(), stride, columns, y.data(), stride, tile.data(),
                          tile_stride);
      for (std::ptrdiff_t j = 0; j < columns; ++j) {
        for (std::ptrdiff_t i = 0; i < rows; ++i) {
          double truth = 0;
          for (std::ptrdiff_t m = 0; m < features; ++m) {
            truth += std::abs(double{x[static_cast<std::size_t>(i * stride + m)]} -
                              double{y[static_cast<std::size_t>(j * stride + m)]});
          }
          const double got = tile[static_cast<std::size_t>(i + j * tile_stride)];
          EXPECT_NEAR(got, truth, 50 * std::numeric_limits<S>::epsilon() * truth);
        }
      }
    }
  }
}

TYPED_TEST(ColumnFunctionsTest, TimesProductsOfAnyShapeTouchNothingElse) {
  using S = TypeParam;
  const std::ptrdiff_t columns = 8, rank = 5;
  for (const auto* table : available<S>()) {
    for (const std::ptrdiff_t rows : {1, 7, 16, 53}) {
      const std::ptrdiff_t x_stride = rows + 3, y_stride = rank + 1, tile_stride = rows + 2;
      const auto x = this->values(rank * x_stride, 6), y = this->values(columns * y_stride, 7);
      const auto before = this->values(columns * tile_stride, 8);
      std::vector<S> tile = before;
      table->times_products(rank, rows, x.data(), x_stride, columns, y.data(), y_stride, tile.data(),
                            tile_stride);
      for (std::ptrdiff_t j = 0; j < columns; ++j) {
        for (std::ptrdiff_t i = 0; i < tile_stride; ++i) {
          const auto at = static_cast<std::size_t>(i + j * tile_stride);
          double sum = 0, size = 0;
          for (std::ptrdiff_t k = 0; k < rank && i < rows; ++k) {
            const double term = double{x[static_cast<std::size_t>(i + k * x_stride)]} *
                                double{y[static_cast<std::size_t>(k + j * y_stride)]};
            sum += term;
            size += std::abs(term);
          }
          const double truth = double{before[at]} * (i < rows ? sum : 1.0);
          EXPECT_NEAR(tile[at], truth,
                      10 * std::numeric_limits<S>::epsilon() * size * std::abs(double{before[at]}));
        }
      }
    }
  }
}

TEST(ColumnFunctions, TheBestTableIsOneOfTheAvailable) {
  const auto tables = available<double>();
  EXPECT_EQ(&column_functions<double>(), tables.back());
}

}  // namespace
}  // namespace choir
