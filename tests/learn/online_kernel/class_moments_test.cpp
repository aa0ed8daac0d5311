// One sample cannot change what is released by more than is said; and what is made of a noisy total.
#include "choir/learn/online_kernel/class_moments.h"

#include <algorithm>
#include <cmath>

#include "graph/expect_error.h"
#include <Eigen/QR>
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/learn/online_kernel/total.h"

namespace choir::online_kernel {
namespace {

using choir::testing::expect_error;

struct Sample {
  Vector psi;
  double place = 0;
};

FeatureSums sums_of(const std::vector<Sample>& samples, Index classes) {
  FeatureSums sums = FeatureSums::none(samples.front().psi.size(), classes);
  for (const Sample& sample : samples)
    sums.learn(sample.psi, coded_targets(Vector::Constant(1, sample.place), classes), Vector::Ones(1));
  return sums;
}

double distance(const Sample& a, const Sample& b, Index classes = 3) {
  return (released(sums_of({a}, classes)) - released(sums_of({b}, classes))).norm();
}

Vector random_vector(Rng& random, Index size) {
  Vector vector(size);
  for (double& entry : vector) entry = random.normal();
  return vector / vector.norm();
}

Sample random_sample(Rng& random, Index size, bool shorter) {
  Sample sample{.psi = random_vector(random, size), .place = static_cast<double>(random.below(3))};
  if (shorter) sample.psi *= random.uniform(0, 1);
  return sample;
}

TEST(ClassMoments, NoTwoSamplesAreFartherApartThanTheSensitivity) {
  Rng random(1, Purpose("class moments test"));
  double farthest = 0;
  for (int pair = 0; pair < 20000; ++pair) {
    const Index size = 1 + static_cast<Index>(random.below(4));
    const bool shorter = random.below(4) == 0;
    farthest = std::max(farthest,
                        distance(random_sample(random, size, shorter), random_sample(random, size, shorter)));
  }
  EXPECT_LE(farthest, class_moments_sensitivity);
  EXPECT_GT(farthest, 0.99 * class_moments_sensitivity);
}

TEST(ClassMoments, TheWorstPairsReachTheSensitivity) {
  const Sample first{.psi = Vector{{1, 0}}, .place = 0};
  const Sample same_class{.psi = Vector{{-0.5, std::sqrt(0.75)}}, .place = 0};
  const Sample other_class{.psi = Vector{{0, 1}}, .place = 2};
  EXPECT_NEAR(distance(first, same_class), class_moments_sensitivity, 1e-12);
  EXPECT_NEAR(distance(first, other_class), class_moments_sensitivity, 1e-12);
  EXPECT_GE(class_moments_sensitivity * class_moments_sensitivity, 4.5);
}

// Whatever the others are, and wherever in a stream that forgets it was.
TEST(ClassMoments, AReplacedSampleOfAStreamChangesNoMore) {
  Rng random(2, Purpose("class moments test"));
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Sample> stream;
    for (int n = 0; n < 8; ++n) stream.push_back(random_sample(random, 3, false));
    std::vector<Sample> other = stream;
    other[random.below(8)] = random_sample(random, 3, false);
    FeatureSums a = FeatureSums::none(3, 3), b = a;
    for (std::size_t n = 0; n < stream.size(); ++n) {
      for (auto [sums, samples] : {std::pair(&a, &stream), std::pair(&b, &other)}) {
        sums->forget(0.8);
        *sums += sums_of({(*samples)[n]}, 3);
      }
    }
    EXPECT_LE((released(a) - released(b)).norm(), class_moments_sensitivity);
  }
}

std::vector<Sample> many_samples(Index count, Index size) {
  Rng random(3, Purpose("class moments test"));
  std::vector<Sample> samples;
  for (Index n = 0; n < count; ++n) {
    samples.push_back(random_sample(random, size, false));
    samples.back().psi(static_cast<Index>(samples.back().place)) += 1;  // something to learn
    samples.back().psi.normalize();
  }
  return samples;
}

TEST(ClassMoments, WithoutNoiseATotalIsWhatWasReleased) {
  const FeatureSums sums = sums_of(many_samples(50, 4), 3);
  const FeatureSums same =
      total_of(released(sums), {.features = 4, .outputs = 3, .weight = sums.weight, .sigma = 0});
  const Matrix products = same.products.triangularView<Eigen::Lower>();
  const Matrix expected = sums.products.triangularView<Eigen::Lower>();
  EXPECT_LT((products - expected).norm(), 1e-12);
  EXPECT_LT((same.cross - sums.cross).norm(), 1e-12);
  EXPECT_LT((same.features - sums.features).norm(), 1e-12);
  EXPECT_LT((same.targets - sums.targets).norm(), 1e-12);
  EXPECT_EQ(same.weight, 50);
}

TEST(ClassMoments, ATotalOfAnotherShapeIsRefused) {
  expect_error(ErrorCategory::BadData, {"25 x 1 are expected"},
               [] { total_of(Matrix::Zero(5, 1), {.features = 4, .outputs = 3, .weight = 1}); });
}

TEST(ClassMoments, CountsThatNoiseHidesArePositiveAndAddUp) {
  FeatureSums sums = sums_of(many_samples(300, 4), 3);
  Matrix noisy = released(sums);
  noisy(noisy.rows() - 1, 0) = -7;
  const FeatureSums total = total_of(noisy, {.features = 4, .outputs = 3, .weight = 300, .sigma = 2});
  EXPECT_NEAR(total.targets.sum(), 300, 1e-9);
  EXPECT_GT(total.targets.minCoeff(), 2);
}

// |Y - Psi'W - 1 b'|^2 + ridge |W|^2 by least squares over the samples themselves.
Matrix dense_ridge(const std::vector<Sample>& samples, Index classes, double ridge) {
  const Index size = samples.front().psi.size();
  const Index count = std::ssize(samples);
  Matrix rows = Matrix::Zero(count + size, size + 1);
  Matrix answers = Matrix::Zero(count + size, classes);
  for (Index n = 0; n < count; ++n) {
    const Sample& sample = samples[static_cast<std::size_t>(n)];
    rows.row(n) << sample.psi.transpose(), 1;
    answers(n, static_cast<Index>(sample.place)) = 1;
  }
  rows.bottomLeftCorner(size, size).diagonal().setConstant(std::sqrt(ridge));
  return rows.colPivHouseholderQr().solve(answers);
}

TEST(ClassMoments, WithoutNoiseTheAnswerIsThatOfARidgeOverTheSamples) {
  const std::vector<Sample> samples = many_samples(80, 6);
  const NoisyAnswer answer = answer_from(sums_of(samples, 3), 0, Weighing::as_they_came);
  EXPECT_EQ(answer.ridge, 1);
  EXPECT_LT((answer.weights - dense_ridge(samples, 3, 1)).norm(), 1e-9);
}

TEST(ClassMoments, TheRidgeGrowsWithTheNoise) {
  const FeatureSums sums = sums_of(many_samples(80, 8), 3);
  EXPECT_NEAR(answer_from(sums, 3, Weighing::balanced).ridge, 1 + 0.5 * 3 * 4, 1e-12);  // sqrt(2 m) = 4
}

TEST(ClassMoments, DirectionsThatNoiseMadeNegativeGetNoWeight) {
  FeatureSums sums = FeatureSums::none(2, 2);
  sums.weight = 100;
  sums.targets = Vector{{50, 50}};
  sums.products = Matrix{{40, 0}, {0, -6}};
  sums.cross = Matrix{{30, -30}, {20, -20}};
  sums.features = sums.cross.rowwise().sum();
  const NoisyAnswer answer = answer_from(sums, 1, Weighing::as_they_came);
  EXPECT_NE(answer.weights(0, 0), 0);
  EXPECT_EQ(answer.weights(1, 0), 0);
  EXPECT_EQ(answer.seen, 1);
}

}  // namespace
}  // namespace choir::online_kernel
