#include "choir/model/overlap.h"

#include "choir/linalg/pseudo_inverse.h"

namespace choir {
namespace {

constexpr double cutoff = 1e-8;  // on squared lengths

}  // namespace

Matrix span_coefficients(const KernelModel& model, const Matrix& scores) {
  if (model.overlap.size() == 0) return scores;
  const PseudoInverseBasis basis = pseudo_inverse_basis<double>(model.overlap, cutoff);
  return basis.lift(basis.coords(scores.transpose())).transpose();
}

Vector captured_lengths(const KernelModel& model, const Matrix& scores) {
  if (model.overlap.size() == 0) return scores.rowwise().squaredNorm();
  const PseudoInverseBasis basis = pseudo_inverse_basis<double>(model.overlap, cutoff);
  return basis.coords(scores.transpose()).colwise().squaredNorm();
}

}  // namespace choir
