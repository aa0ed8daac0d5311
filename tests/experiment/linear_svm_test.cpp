#include "choir/experiment/linear_svm.h"

#include "graph/expect_error.h"
#include <Eigen/Dense>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/rng.h"

namespace choir {
namespace {

using ::testing::ElementsAre;
using testing::expect_error;

// Both samples are within the margin, so the minimum is where a linear system says:
// (w, b) + 2 c sum_n (w x_n + b - y_n)(x_n, 1) = 0.
TEST(LinearSvm, FindsTheMinimumOfTwoSamples) {
  const double c = 0.1;
  Samples samples(1, 2);
  samples << 2, -0.5;
  const std::vector<std::int64_t> labels = {7, 4};
  Eigen::Matrix2d system = Eigen::Matrix2d::Identity();
  Eigen::Vector2d right = Eigen::Vector2d::Zero();
  for (const auto& [x, y] : {std::pair{2.0, 1.0}, std::pair{-0.5, -1.0}}) {
    const Eigen::Vector2d extended(x, 1);
    system += 2 * c * extended * extended.transpose();
    right += 2 * c * y * extended;
  }
  const Eigen::Vector2d minimum = system.ldlt().solve(right);
  const LinearSvm svm = fit_linear_svm(samples, labels, {.c = c, .tol = 1e-10});
  EXPECT_NEAR(svm.weights(0), minimum(0), 1e-8);
  EXPECT_NEAR(svm.bias, minimum(1), 1e-8);
  EXPECT_THAT(svm.predict(samples), ElementsAre(7, 4));
}

TEST(LinearSvm, DoesNotDependOnWhichClassComesFirst) {
  Rng random(1, Purpose("svm-test"));
  Samples samples(3, 40);
  std::vector<std::int64_t> labels;
  for (Index sample = 0; sample < samples.cols(); ++sample) {
    for (double& entry : samples.col(sample)) entry = random.normal();
    labels.push_back(samples(0, sample) + 0.5 * samples(1, sample) > 0.2 ? 1 : 0);
  }
  const LinearSvm svm = fit_linear_svm(samples, labels, {.c = 100});
  const Samples turned = samples.rowwise().reverse();
  const LinearSvm other =
      fit_linear_svm(turned, std::vector<std::int64_t>(labels.rbegin(), labels.rend()), {.c = 100});
  ASSERT_NE(labels.front(), labels.back());
  EXPECT_LT((svm.weights - other.weights).norm(), 1e-4 * svm.weights.norm());
  EXPECT_NEAR(svm.bias, other.bias, 1e-4 * svm.weights.norm());
  EXPECT_EQ(svm.predict(samples), labels);
}

TEST(LinearSvm, WantsTwoClassesAndALabelForEachSample) {
  const Samples samples = Samples::Identity(3, 3);
  const auto fit = [&](const std::vector<std::int64_t>& labels) { fit_linear_svm(samples, labels, {}); };
  expect_error(ErrorCategory::InvalidArgument, {"1 different values"}, [&] { fit({2, 2, 2}); });
  expect_error(ErrorCategory::InvalidArgument, {"3 different values"}, [&] { fit({1, 2, 3}); });
  expect_error(ErrorCategory::InvalidArgument, {"2 labels for 3 samples"}, [&] { fit({1, 2}); });
}

}  // namespace
}  // namespace choir
