#include "choir/learn/online_kernel/expansion.h"

#include <cmath>

#include "linalg/matrices.h"
#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "choir/kernel/gram.h"
#include "choir/learn/online_kernel/komp.h"

namespace choir::online_kernel {
namespace {

using testing::random_matrix;

const Kernel rbf{.kind = KernelKind::rbf, .gamma = 1.5};

double k(const Vector& x, const Vector& y) { return std::exp(-rbf.gamma * (x - y).squaredNorm()); }

// sum_n w_n k(d_n, x), one kernel value at a time.
Matrix dense(const Samples& atoms, const Matrix& weights, const Samples& samples) {
  Matrix values = Matrix::Zero(samples.cols(), weights.cols());
  for (Index n = 0; n < samples.cols(); ++n) {
    for (Index a = 0; a < atoms.cols(); ++a)
      values.row(n) += k(atoms.col(a), samples.col(n)) * weights.row(a);
  }
  return values;
}

void expect_sound(const Expansion& f) {
  ASSERT_EQ(f.weights.rows(), f.size());
  ASSERT_EQ(f.gram.rows(), f.size());
  for (Index i = 0; i < f.size(); ++i) {
    for (Index j = 0; j < f.size(); ++j) EXPECT_NEAR(f.gram(i, j), k(f.atoms.col(i), f.atoms.col(j)), 1e-13);
  }
  EXPECT_EQ(f.gram, f.gram.transpose());
}

Expansion expansion_of(const Samples& atoms, const Matrix& weights) {
  Expansion f = empty_expansion(atoms.rows(), weights.cols());
  mix_in(rbf, f,
         {.atoms = {atoms.data(), atoms.rows(), atoms.cols()},
          .weights = {weights.data(), weights.rows(), weights.cols()}},
         1);
  return f;
}

const Samples probes = 2 * random_matrix(2, 50, 99);

TEST(Expansion, EvaluatesAsTheSumOverItsAtoms) {
  const Samples atoms = random_matrix(2, 20, 1);
  const Matrix weights = random_matrix(20, 3, 2);
  const Expansion f = expansion_of(atoms, weights);
  expect_sound(f);
  EXPECT_LT((evaluate(rbf, f, probes) - dense(atoms, weights, probes)).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_EQ(evaluate(rbf, empty_expansion(2, 3), probes), Matrix::Zero(50, 3));
  EXPECT_EQ(evaluate(rbf, f, Samples(2, 0)).rows(), 0);
}

TEST(Expansion, MixesAsFunctionsDoAndHasCommonAtomsOnce) {
  const Samples a = random_matrix(2, 12, 1), b = random_matrix(2, 9, 2);
  Samples theirs(2, 15);
  theirs << b.leftCols(4), a.rightCols(6), b.rightCols(5);
  const Matrix w = random_matrix(12, 3, 3), v = random_matrix(15, 3, 4);
  Expansion f = expansion_of(a, w);
  const Expansion g = expansion_of(theirs, v);
  f.weights *= 0.7;
  mix_in(rbf, f, view_of(g), 0.3);
  EXPECT_EQ(f.size(), 12 + 9);
  EXPECT_EQ(f.atoms.leftCols(12), a) << "what was there stays in its order";
  EXPECT_EQ(f.atoms.rightCols(9), b) << "what is new follows in its own";
  expect_sound(f);
  const Matrix truth = 0.7 * dense(a, w, probes) + 0.3 * dense(theirs, v, probes);
  EXPECT_LT((evaluate(rbf, f, probes) - truth).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(Expansion, AddsSamplesAsAtoms) {
  const Samples atoms = random_matrix(2, 6, 1), batch = random_matrix(2, 5, 2);
  const Matrix w = random_matrix(6, 2, 3), c = random_matrix(5, 2, 4);
  Expansion f = expansion_of(atoms, w);
  add(rbf, f, batch, c, {});
  EXPECT_EQ(f.size(), 11);
  expect_sound(f);
  EXPECT_LT(
      (evaluate(rbf, f, probes) - dense(atoms, w, probes) - dense(batch, c, probes)).cwiseAbs().maxCoeff(),
      1e-13);
  Expansion fresh = empty_expansion(2, 2);
  add(rbf, fresh, batch, c, {});
  EXPECT_EQ(fresh.atoms, batch);
  add(rbf, fresh, Samples(2, 0), Matrix(0, 2), {});
  EXPECT_EQ(fresh.size(), 5);
}

// The rule of the specification, one sample after the other, by dense algebra.
TEST(Expansion, GivesTheCoefficientsOfExplainedSamplesToThoseThatExplainThem) {
  Samples atoms = random_matrix(2, 10, 1);
  Samples batch(2, 7);
  batch << random_matrix(2, 2, 2), atoms.col(3), Vector(atoms.col(5).array() + 1e-5), random_matrix(2, 1, 3),
      random_matrix(2, 2, 2);
  const Matrix w = random_matrix(10, 3, 4), c = random_matrix(7, 3, 5);
  Expansion f = expansion_of(atoms, w);
  add(rbf, f, batch, c, {});

  Samples truth_atoms = atoms;
  Matrix truth = w;
  for (Index b = 0; b < batch.cols(); ++b) {
    const Index size = truth_atoms.cols();
    Matrix gram(size, size);
    Vector cross(size);
    for (Index i = 0; i < size; ++i) {
      cross(i) = k(truth_atoms.col(i), batch.col(b));
      for (Index j = 0; j < size; ++j)
        gram(i, j) = k(truth_atoms.col(i), truth_atoms.col(j)) + (i == j) * 1e-8;
    }
    const Vector q = Eigen::LLT<Matrix>(gram).solve(cross);
    if (1 - cross.dot(q) < 1e-6) {
      truth += q * c.row(b);
    } else {
      truth_atoms.conservativeResize(Eigen::NoChange, size + 1);
      truth_atoms.col(size) = batch.col(b);
      truth.conservativeResize(size + 1, Eigen::NoChange);
      truth.row(size) = c.row(b);
    }
  }
  ASSERT_EQ(truth_atoms.cols(), 13) << "the example has explained samples of all sorts";
  EXPECT_EQ(f.atoms, truth_atoms);
  EXPECT_LT((f.weights - truth).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT(
      (evaluate(rbf, f, probes) - dense(atoms, w, probes) - dense(batch, c, probes)).cwiseAbs().maxCoeff(),
      1e-3);
}

// Screened samples are approximated as well as KOMP would have done it, and the error is what is said.
TEST(Expansion, ScreensSamplesThatWouldBeRemovedAtOnce) {
  const Samples atoms = random_matrix(2, 15, 1), batch = random_matrix(2, 8, 2);
  const Matrix w = random_matrix(15, 2, 3);
  Matrix c = 0.01 * random_matrix(8, 2, 4);
  c.row(5).setOnes();
  Expansion all = expansion_of(atoms, w);
  add(rbf, all, batch, c, {});
  Expansion f = expansion_of(atoms, w);
  const double error = add(rbf, f, batch, c, {.epsilon = 0.1, .screens = true});
  EXPECT_EQ(f.size(), 16) << "one of them weighs something";
  expect_sound(f);
  EXPECT_GT(error, 0);
  EXPECT_LE(error, 0.05);
  EXPECT_LE(std::sqrt(squared_distance(rbf, all, f)), 2 * error);
  Expansion full = expansion_of(atoms, 1000 * w);
  add(rbf, full, batch, c, {.most = 15, .screens = true});
  EXPECT_EQ(full.size(), 15) << "any of the atoms counts for more";
}

TEST(Expansion, CompressesToWhatIsLeftAndSaysTheDistance) {
  const Samples atoms = random_matrix(2, 60, 1);
  const Expansion before = expansion_of(atoms, random_matrix(60, 2, 2));
  Expansion f = before;
  const double error = compress(f, {.epsilon = 0.5});
  ASSERT_LT(f.size(), 60);
  ASSERT_GT(f.size(), 0);
  expect_sound(f);
  EXPECT_LE(error, 0.5);
  EXPECT_NEAR(squared_distance(rbf, before, f), error * error, 1e-5);
  EXPECT_NEAR(squared_distance(rbf, f, before), error * error, 1e-5);
}

TEST(Expansion, DistanceIsTheHilbertNormOfTheDifference) {
  const Samples a = random_matrix(2, 7, 1), b = random_matrix(2, 5, 2);
  const Matrix w = random_matrix(7, 2, 3), v = random_matrix(5, 2, 4);
  Samples both(2, 12);
  both << a, b;
  Matrix difference(12, 2);
  difference << w, -v;
  const double truth = difference.cwiseProduct(dense(both, difference, both)).sum();
  EXPECT_NEAR(squared_distance(rbf, expansion_of(a, w), expansion_of(b, v)), truth, 1e-12);
  EXPECT_EQ(squared_distance(rbf, expansion_of(a, w), expansion_of(a, w)), 0);
}

}  // namespace
}  // namespace choir::online_kernel
