#include "choir/learn/online_kernel/kernel_inverse.h"

#include <utility>

namespace choir::online_kernel {
namespace {

constexpr double most_drift = 1e-6;

// The rows and columns that are missing, in one block; false if they depend too much on the others.
bool append_rows(KernelInverse& inverse, const Matrix& gram) {
  const Index before = inverse.size();
  const Index added = gram.rows() - before;
  const auto cross = gram.topRightCorner(before, added);
  const Matrix images = inverse.values * cross;
  Matrix schur = gram.bottomRightCorner(added, added) - cross.transpose() * images;
  schur.diagonal().array() += inverse.jitter;
  const Cholesky factor = cholesky(schur, ConditionEstimate::no);
  if (!factor.positive_definite) return false;
  extend(inverse, images, factor.lower);
  return true;
}

}  // namespace

KernelInverse inverse_of(const Matrix& gram, double jitter) {
  const JitteredCholesky cholesky = jittered_cholesky(gram, jitter);
  return {.values = cholesky.factor.inverse_lower_triangle().selfadjointView<Eigen::Lower>(),
          .jitter = cholesky.jitter};
}

void cover(KernelInverse& inverse, const Matrix& gram) {
  if (gram.rows() == 0) {
    inverse = {.values = Matrix(0, 0)};
    return;
  }
  const Index added = gram.rows() - inverse.size();
  const bool many = 2 * added > gram.rows();
  const bool known = !many && (added == 0 || append_rows(inverse, gram)) && drift(inverse, gram) < most_drift;
  if (!known) inverse = inverse_of(gram);
}

void extend(KernelInverse& inverse, const Matrix& images, const Matrix& lower) {
  const Index before = inverse.size();
  const Index added = lower.rows();
  // S^-1 = R'R with R = L^-1, and P k S^-1 = (P k R') R.
  const Matrix right = lower.triangularView<Eigen::Lower>().solve(Matrix::Identity(added, added));
  const Matrix half = images * right.transpose();
  Matrix values(before + added, before + added);
  values.topLeftCorner(before, before) = inverse.values;
  values.topLeftCorner(before, before).noalias() += half * half.transpose();
  values.topRightCorner(before, added) = -half * right;
  values.bottomLeftCorner(added, before) = values.topRightCorner(before, added).transpose();
  values.bottomRightCorner(added, added) = right.transpose() * right;
  inverse.values.swap(values);
}

double drift(const KernelInverse& inverse, const Matrix& gram) {
  const Index last = gram.rows() - 1;
  Vector image = gram * inverse.values.col(last) + inverse.jitter * inverse.values.col(last);
  image(last) -= 1;
  return image.cwiseAbs().maxCoeff();
}

}  // namespace choir::online_kernel
