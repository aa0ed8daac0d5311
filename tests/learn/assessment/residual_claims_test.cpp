#include "choir/learn/assessment/residual_claims.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/learn/assessment/assessment.h"
#include "choir/learn/assessment/separation.h"
#include "choir/linalg/eigen.h"
#include "choir/linalg/qr.h"

namespace choir {
namespace {

TEST(ResidualClaims, ASineIsAtMostResidualByGap) {
  const Vector values = Eigen::Vector3d(4, 2, 1);
  const Vector residuals = Eigen::Vector3d(0.5, 0, 0);
  const Vector claims = residual_claims(values, residuals, {.kept = 1, .beyond = 0});
  EXPECT_NEAR(claims(0), std::sqrt(8.0 / 9), 1e-12) << "0.5 / (2 - 0.5)";
}

TEST(ResidualClaims, WithoutAGapThereIsNoClaim) {
  const Vector values = Eigen::Vector3d(4, 2, 1.99);
  const Vector residuals = Eigen::Vector3d(0.1, 0.1, 0.1);
  const Vector claims = residual_claims(values, residuals, {.kept = 2, .beyond = 1.9});
  EXPECT_GT(claims(0), 0.99);
  EXPECT_EQ(claims(1), 0) << "nor its group: 1.9 may follow";
}

TEST(ResidualClaims, AGroupIsClaimedWhereItsMembersAreNot) {
  const Vector values = Eigen::Vector4d(4, 2, 1.99, 0.1);
  const Vector residuals = Eigen::Vector4d(0.05, 0.05, 0.05, 0);
  const Vector claims = residual_claims(values, residuals, {.kept = 3, .beyond = 0});
  EXPECT_GT(claims(1), 0.99);
  EXPECT_EQ(claims(1), claims(2));
}

TEST(ResidualClaims, WhatIsExactIsClaimedWhateverFollows) {
  const Vector values = Eigen::Vector2d(1, 1);
  EXPECT_EQ(residual_claims(values, Vector::Zero(2), {.kept = 2, .beyond = 1}), Vector::Ones(2));
}

// Ritz pairs of random subspaces against the eigenvectors of the whole matrix.
TEST(ResidualClaims, AreNotAboveTheTruthUnlessTheyAreCalledWeak) {
  Index claimed = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed, Purpose("claims test"));
    Matrix start(40, 8);
    for (double& entry : start.reshaped()) entry = rng.normal();
    Vector spectrum(40);
    for (Index k = 0; k < 40; ++k) spectrum(k) = std::pow(0.8, static_cast<double>(k)) * (1 + rng.uniform());
    std::sort(spectrum.begin(), spectrum.end(), std::greater<>());
    const Matrix basis = thin_qr<double>(spectrum.cwiseAbs2().asDiagonal() * start).q;
    const Matrix images = spectrum.asDiagonal() * basis;
    const EigenPairs ritz = eigen_symmetric<double>(basis.transpose() * images);
    const Matrix vectors = basis * ritz.vectors;
    const Vector residuals =
        (spectrum.asDiagonal() * vectors - vectors * ritz.values.asDiagonal()).colwise().norm();
    const Vector claims =
        residual_claims(ritz.values, residuals, {.kept = 4, .beyond = spectrum.sum() - ritz.values.sum()});
    for (Index d = 0; d < 4; ++d) {
      const bool alone = (d == 0 || spectrum(d - 1) > separating_ratio * spectrum(d)) &&
                         spectrum(d) > separating_ratio * spectrum(d + 1);
      // The eigenvectors are the unit vectors.
      if (alone && claims(d) >= weak_claim) {
        EXPECT_LE(claims(d), std::abs(vectors(d, d)) + 0.02) << seed << " " << d;
        ++claimed;
      }
    }
  }
  EXPECT_GT(claimed, 50);
}

}  // namespace
}  // namespace choir
