#include "choir/metrics/classification.h"

#include "graph/expect_error.h"

namespace choir {
namespace {

using testing::expect_error;
using List = std::vector<std::int64_t>;

const List truth = {2, 0, 2, 2, 0, 1};
const List predicted = {0, 0, 2, 2, 0, 2};

TEST(Accuracy, EqualsScikitLearn) {
  EXPECT_DOUBLE_EQ(accuracy(truth, predicted), 0.6666666666666666);
  EXPECT_EQ(accuracy(truth, truth), 1);
  EXPECT_EQ(accuracy(List{1}, List{2}), 0);
}

TEST(ConfusionMatrix, EqualsScikitLearn) {
  const auto result = confusion_matrix(truth, predicted);
  EXPECT_EQ(result.labels, (List{0, 1, 2}));
  Eigen::Matrix<Index, 3, 3> expected;
  expected << 2, 0, 0, 0, 0, 1, 1, 0, 2;
  EXPECT_EQ(result.counts, expected);
}

TEST(ConfusionMatrix, NamesLabelsOfEitherSide) {
  const auto result = confusion_matrix(List{-5, 7}, List{7, 100});
  EXPECT_EQ(result.labels, (List{-5, 7, 100}));
  EXPECT_EQ(result.counts.sum(), 2);
  EXPECT_EQ(result.counts(0, 1), 1);
  EXPECT_EQ(result.counts(1, 2), 1);
}

TEST(RootMeanSquaredError, EqualsScikitLearn) {
  Vector a(4), b(4);
  a << 3, -0.5, 2, 7;
  b << 2.5, 0, 2, 8;
  EXPECT_DOUBLE_EQ(root_mean_squared_error(a, b), 0.6123724356957945);
  EXPECT_EQ(root_mean_squared_error(a, a), 0);
}

TEST(Classification, NeedsAsManyOfEachAndSome) {
  expect_error(ErrorCategory::InvalidArgument, {"2 true", "1 predicted"}, [] {
    accuracy(List{1, 2}, List{1});
  });
  expect_error(ErrorCategory::InvalidArgument, {"no values"}, [] { accuracy(List{}, List{}); });
  expect_error(ErrorCategory::InvalidArgument, {"0 true", "1 predicted"},
               [] { confusion_matrix(List{}, List{1}); });
  expect_error(ErrorCategory::InvalidArgument, {"3 true", "2 predicted"},
               [] { root_mean_squared_error(Vector::Zero(3), Vector::Zero(2)); });
  expect_error(ErrorCategory::InvalidArgument, {"no values"},
               [] { root_mean_squared_error(Vector(), Vector()); });
}

}  // namespace
}  // namespace choir
