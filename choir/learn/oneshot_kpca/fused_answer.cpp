#include "choir/learn/oneshot_kpca/fused_answer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/learn/linear_start.h"
#include "choir/linalg/eigen.h"

namespace choir::oneshot_kpca {
namespace {

constexpr double rank_cutoff = 1e-12;  // eigenvalues below this share of the first are rounding

class Negated final : public SymmetricOperatorOf<double> {
 public:
  explicit Negated(const SymmetricOperatorOf<double>& inner) : inner_(inner) {}
  Index rows() const override { return inner_.rows(); }
  void apply(const MatrixView<double>& x, MatrixSpan<double> y) const override {
    inner_.apply(x, y);
    y = -y;
  }

 private:
  const SymmetricOperatorOf<double>& inner_;
};

double most_negative_of(const FusedKernel& fused, const FactorSize& solver) {
  const CentredOperator<double> centred(fused.matrix);
  const TopEigenOptions options{
      .count = 1, .tol = std::max(solver.tol, 1e-4), .max_restarts = solver.max_iter};
  return std::min(0.0, -top_eigenpairs<double>(Negated(centred), options).values(0));
}

Index rank_of(const Vector& values) {
  if (values.size() == 0 || !(values(0) > 0)) return 0;
  return (values.array() > rank_cutoff * values(0)).count();
}

EigenPairs solve(const FusedKernel& fused, const TopEigenOptions& options) {
  if (fused.centred) return top_eigenpairs<double>(fused.matrix, options);
  return top_eigenpairs<double>(CentredOperator<double>(fused.matrix), options);
}

EigenPairs leading_pairs(const FusedKernel& fused, Index count, const FactorSize& solver) {
  TopEigenOptions options{.count = count, .tol = solver.tol, .max_restarts = solver.max_iter};
  constexpr Index beyond = 4;
  options.start = linear_start<double>(fused.columns, std::min(count + beyond, fused.columns.rows()), 0);
  return solve(fused, options);
}

// A residual is measured by the first eigenvalue, which says little about a component that is a millionth of
// it: once more, until it is small beside the last of the `wanted` that is more than rounding.
EigenPairs accurate_pairs(const FusedKernel& fused, Index count, Index wanted, const FactorSize& solver) {
  EigenPairs pairs = leading_pairs(fused, count, solver);
  const Index rank = rank_of(pairs.values.head(wanted));
  if (rank == 0) return pairs;
  constexpr double attainable = 1e-14;
  const double needed = std::max(attainable, solver.tol * pairs.values(rank - 1) / pairs.values(0));
  if (pairs.residual <= needed) return pairs;
  EigenPairs again =
      solve(fused, {.count = count, .tol = needed, .max_restarts = solver.max_iter, .start = pairs.vectors});
  again.converged = again.residual <= solver.tol;
  return again;
}

// Why there are too few components depends on whether more vectors could bring them.
void require_components(const FusedKernel& fused, const ComponentChoice& choice, const Vector& values,
                        double trace) {
  const Index rank = rank_of(values);
  if (rank == 0) {
    throw Error(ErrorCategory::InvalidArgument,
                "all samples are the same to the kernel: no feature of any party varies, so there are no "
                "components");
  }
  const double explained = values.head(rank).sum() / trace;
  const bool enough = choice.by_fraction() ? explained >= choice.fraction : rank >= choice.count;
  if (enough) return;
  const std::string wish = choice.by_fraction()
                               ? fmt::format("the share of variance asked for is {}", choice.fraction)
                               : fmt::format("n_components is {}", choice.count);
  // All that were computed are there: it is their number that is too small, which components_to_keep() says.
  if (choice.by_fraction() && rank == values.size()) return;
  if (!fused.whole) {
    fail(ErrorCategory::InvalidArgument,
         "{}, but what the parties sent has {} component{}, which explain {:.1f}% of the variance; let them "
         "send "
         "more (--local-components), or ask for less",
         wish, rank, rank == 1 ? "" : "s", 100 * explained);
  }
  if (choice.by_fraction()) return;  // nothing more is there to explain
  // Directions that were sent and count for nothing are small beside the others.
  const char* scaling = rank < fused.columns.rows() ? ", or scale the features (--standardize zscore)" : "";
  fail(ErrorCategory::InvalidArgument,
       "{}, but the centred kernel matrix of all features has rank {}: other eigenvalues are below {:g} of "
       "the "
       "first; ask for {} or fewer{}",
       wish, rank, rank_cutoff, rank, scaling);
}

}  // namespace

double FusedAnswer::next() const {
  const Index kept = eigenvalues.size();
  return kept < spectrum.size() ? std::max(0.0, spectrum(kept)) : 0;
}

FusedAnswer leading_components(const FusedKernel& fused, const ComponentChoice& components,
                               const FactorSize& solver) {
  FusedAnswer answer;
  answer.trace = fused.trace;
  if (!fused.centred) answer.centring = Centring::from_row_sums(fused.matrix.row_sums());
  if (!fused.trace_centred) answer.trace = answer.centring.centred_trace(fused.trace);
  if (!fused.definite) answer.most_negative = most_negative_of(fused, solver);
  if (!fused.definite && components.by_fraction()) {
    throw Error(ErrorCategory::InvalidArgument,
                "a share of variance needs a positive definite kernel, which this one is not; give "
                "n_components as a number");
  }
  const Index samples = fused.matrix.rows();
  const Index wanted = components_to_compute(components, samples - 1);
  const EigenPairs pairs = accurate_pairs(fused, std::min(wanted + guard_columns, samples), wanted, solver);
  const Vector found = pairs.values.head(wanted);
  require_components(fused, components, found, answer.trace);
  const Index kept = components_to_keep(components, found, answer.trace, rank_cutoff);
  answer.vectors = pairs.vectors.leftCols(kept);
  answer.eigenvalues = pairs.values.head(kept);
  answer.spectrum = pairs.values.head(std::min(kept + guard_columns, pairs.values.size())).cwiseMax(0);
  answer.converged = pairs.converged;
  answer.residual = pairs.residual;
  return answer;
}

Matrix leading_vectors(const FusedKernel& fused, Index count, const FactorSize& solver) {
  const EigenPairs pairs = leading_pairs(fused, std::min(count, fused.matrix.rows()), solver);
  return pairs.vectors.leftCols(rank_of(pairs.values));
}

double sin_theta_bound(const Kernel& kernel, const std::vector<KernelFactor>& factors,
                       const FusedAnswer& answer) {
  const Index kept = answer.eigenvalues.size();
  const auto samples = static_cast<double>(answer.vectors.rows());
  const double gap = kept > 0 ? answer.eigenvalues(kept - 1) - answer.next() : 0;
  double dropped = 0;
  for (const KernelFactor& factor : factors) dropped = std::max(dropped, factor.dropped);
  if (dropped == 0) return 0;
  if (!(gap > 0)) return std::numeric_limits<double>::infinity();
  const double free = kernel.kind == KernelKind::linear ? samples - static_cast<double>(kept) : samples;
  return static_cast<double>(factors.size()) * std::sqrt(free) * dropped / gap;
}

}  // namespace choir::oneshot_kpca
