#include "choir/model/overlap.h"

#include <vector>

#include "model/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

// Three orthonormal directions mixed to others, w A, and how many dimensions their span has.
struct Mixing {
  Matrix matrix;
  Index rank;
};

// Shrunk, mixed, more directions than dimensions, one direction twice but for rounding.
std::vector<Mixing> mixings() {
  Matrix more(3, 4), twice = Matrix::Identity(3, 3);
  more << Matrix::Identity(3, 3), Vector::Ones(3);
  twice.col(2) = twice.col(1) + 1e-9 * twice.col(2);
  return {{0.9 * Matrix::Identity(3, 3), 3}, {normal_samples(3, 3, 1), 3}, {more, 3}, {twice, 2}};
}

TEST(Overlap, OrthonormalScoresStandForThemselves) {
  const KernelModel model = fit_kpca({.gamma = 0.3}, normal_samples(3, 20, 2), 3).model;
  const Matrix scores = normal_samples(5, 3, 3);
  EXPECT_EQ(span_coefficients(model, scores), scores);
  EXPECT_EQ(captured_lengths(model, scores), scores.rowwise().squaredNorm());
}

TEST(Overlap, ProjectionsDoNotDependOnTheDirectionsThatSpanTheSpan) {
  const KernelModel straight = fit_kpca({.gamma = 0.3}, normal_samples(3, 20, 2), 3).model;
  for (const auto& [mixing, rank] : mixings()) {
    const KernelModel model = oblique(straight, mixing);
    const Matrix t = normal_samples(5, 3, 4);  // of the straight directions
    const Matrix lengths = captured_lengths(model, t * mixing);
    const Matrix projections = span_coefficients(model, t * mixing) * mixing.transpose();
    EXPECT_LT(largest(projections.leftCols(rank) - t.leftCols(rank)), 1e-7);
    EXPECT_LT(largest(lengths - t.leftCols(rank).rowwise().squaredNorm()), 1e-7);
  }
}

TEST(Overlap, ShrunkDirectionsShrinkScoresAndNothingElse) {
  const Samples samples = normal_samples(4, 40, 5), fresh = normal_samples(4, 10, 6);
  const KernelModel straight = fit_kpca({.gamma = 0.1}, samples, 3).model;
  const KernelModel model = oblique(straight, 0.8 * Matrix::Identity(3, 3));
  EXPECT_LT(largest(model.transform(fresh) - 0.8 * straight.transform(fresh)), 1e-13);
  EXPECT_LT(largest(model.score(fresh) - straight.score(fresh)), 1e-13);
  EXPECT_LT(largest(model.inverse(model.transform(fresh)) - straight.inverse(straight.transform(fresh))),
            1e-5);
}

TEST(Overlap, InverseIsTheOrthogonalProjection) {
  const Samples samples = normal_samples(5, 40, 7), fresh = normal_samples(5, 10, 8);
  const KernelModel straight = fit_kpca({.kind = KernelKind::linear}, samples, 3).model;
  const LinearModel pca = fit_pca(samples, 3);
  for (const auto& [mixing, rank] : mixings()) {
    if (rank < 3) continue;
    const KernelModel model = oblique(straight, mixing);
    const Samples back = model.inverse(model.transform(fresh));
    EXPECT_LT(largest(back - pca.inverse(pca.transform(fresh))), 1e-10);
    EXPECT_LT(largest(model.score(fresh) - pca.score(fresh)), 1e-10);
  }
}

TEST(Overlap, DirectionsOfNoLengthCaptureNothing) {
  const KernelModel model =
      oblique(fit_kpca({.gamma = 0.3}, normal_samples(3, 20, 2), 3).model, Matrix::Zero(3, 2));
  const Samples fresh = normal_samples(3, 4, 9);
  EXPECT_EQ(captured_lengths(model, model.transform(fresh)), Vector::Zero(4));
  EXPECT_TRUE(model.inverse(model.transform(fresh)).allFinite());
}

}  // namespace
}  // namespace choir
