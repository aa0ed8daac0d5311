#include "choir/linalg/signs.h"

#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(FixSigns, MakesTheLargestEntryOfEachColumnPositive) {
  Matrix m(3, 3);
  m << 1, -1, 0.5,  //
      -3, 2, 0.25,  //
      2, -1, -0.4;
  fix_signs<double>(m);
  Matrix expected(3, 3);
  expected << -1, -1, 0.5,  //
      3, 2, 0.25,           //
      -2, -1, -0.4;
  EXPECT_EQ(m, expected);
}

TEST(FixSigns, LetsTheFirstOfEqualEntriesDecide) {
  MatrixOf<float> m(2, 2);
  m << -1, 1,  //
      1, -1;
  fix_signs<float>(m);
  EXPECT_EQ(m(0, 0), 1);
  EXPECT_EQ(m(1, 0), -1);
  EXPECT_EQ(m(0, 1), 1);
  EXPECT_EQ(m(1, 1), -1);
}

TEST(FixSigns, LeavesZeroColumnsAndEmptyMatrices) {
  Matrix zero = Matrix::Zero(3, 2), empty(0, 2), no_columns(2, 0);
  fix_signs<double>(zero);
  fix_signs<double>(empty);
  fix_signs<double>(no_columns);
  EXPECT_EQ(zero, Matrix::Zero(3, 2));
}

TEST(FixSigns, ChangesSomeColumnsOfALargerMatrixInPlace) {
  Matrix m = -Matrix::Identity(4, 4);
  fix_signs<double>(m.middleCols(1, 2));
  EXPECT_EQ(m.diagonal(), Vector(Eigen::Vector4d(-1, 1, 1, -1)));
}

}  // namespace
}  // namespace choir
