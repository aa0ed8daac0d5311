#include "choir/learn/linear_start.h"

#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/metrics/subspace.h"

namespace choir {
namespace {

Samples normal(Index rows, Index columns) {
  Rng rng(1, Purpose("samples"));
  Samples x(rows, columns);
  for (double& entry : x.reshaped()) entry = rng.normal();
  return x;
}

TEST(LinearStart, IsTheSpanOfTheCentredScoresWhereTheyHaveSoManyDirections) {
  const Samples x = (normal(20, 3) * normal(3, 50)).colwise() + Vector::Constant(20, 5);
  const Matrix start = linear_start<double>(x, 3, 7);
  Matrix centred = x.transpose();
  centred.rowwise() -= centred.colwise().mean().eval();
  EXPECT_LT(subspace_error(centred.leftCols(3), start), 1e-10);  // any three features span them all
  EXPECT_LT(start.colwise().sum().cwiseAbs().maxCoeff(), 1e-9 * start.norm());
}

TEST(LinearStart, LeansTowardsTheLeadingComponents) {
  Samples x = normal(30, 200);
  x.topRows(2) *= 20;
  const Matrix start = linear_start<double>(x, 2, 7);
  Matrix leading = x.topRows(2).transpose();
  leading.rowwise() -= leading.colwise().mean().eval();
  EXPECT_LT(subspace_error(leading, start), 0.05);
  EXPECT_EQ(start, linear_start<double>(x, 2, 7));
  const Matrix single = linear_start<float>(x.cast<float>(), 2, 7);
  EXPECT_LT(subspace_error(start, single), 1e-6);
}

}  // namespace
}  // namespace choir
