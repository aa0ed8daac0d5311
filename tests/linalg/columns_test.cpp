#include "choir/linalg/columns.h"

#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

TEST(SideBySide, KeepsTheOrder) {
  const Matrix a = Matrix::Constant(2, 1, 1), b = Matrix::Constant(2, 3, 2), none(2, 0);
  const Matrix all = side_by_side(std::vector<Matrix>{a, none, b});
  ASSERT_EQ(all.cols(), 4);
  EXPECT_EQ(all.leftCols(1), a);
  EXPECT_EQ(all.rightCols(3), b);
  EXPECT_EQ(side_by_side(std::vector<Eigen::Map<const Matrix>>{{b.data(), 2, 3}}), b);
}

TEST(CutColumns, GivesPartsOfNearlyEqualWidthThatMakeTheWhole) {
  const Matrix whole = Matrix::Random(3, 7);
  const std::vector<Matrix> parts = cut_columns(whole, 3);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].cols(), 2);
  EXPECT_EQ(parts[2].cols(), 3);
  EXPECT_EQ(side_by_side(parts), whole);
}

TEST(SideBySide, RefusesWhatDoesNotFit) {
  EXPECT_THROW(side_by_side(std::vector<Matrix>{}), Error);
  EXPECT_THROW(side_by_side(std::vector<Matrix>{Matrix::Zero(2, 1), Matrix::Zero(3, 1)}), Error);
}

}  // namespace
}  // namespace choir
