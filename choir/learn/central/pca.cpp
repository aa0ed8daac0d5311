#include "choir/learn/central/pca.h"

#include <algorithm>

#include "choir/base/error.h"
#include "choir/linalg/blas.h"
#include "choir/linalg/eigen.h"

namespace choir {
namespace {

// Up to this size the smaller side's scatter is formed; beyond it only multiplied with.
constexpr Index largest_formed = 5000;

// y = B B'x for B = Xc (features side) or Xc' (samples side), never formed.
template <class Factor>
class ScatterOperator final : public SymmetricOperator {
 public:
  explicit ScatterOperator(const Factor& factor) : factor_(factor) {}
  Index rows() const override { return factor_.rows(); }
  void apply(const MatrixView<double>& x, MatrixSpan<double> y) const override {
    const Matrix inner = factor_.transpose() * x;
    y.noalias() = factor_ * inner;
  }

 private:
  const Factor& factor_;
};

template <class Factor>
EigenPairs leading(const Factor& factor, const TopEigenOptions& options) {
  if (factor.rows() > largest_formed) return top_eigenpairs(ScatterOperator<Factor>(factor), options);
  const Matrix scatter = factor * factor.transpose();
  return top_eigenpairs(DenseOperator(scatter), options);
}

}  // namespace

central_pca::Fit fit_central_pca(const SamplesView& samples, const central_pca::Options& options,
                                 const RunOptions& run) {
  const SingleThreadedBlas scope;
  if (samples.cols() < 2) {
    fail(ErrorCategory::InvalidArgument, "PCA needs at least 2 samples; there {} {}",
         samples.cols() == 1 ? "is" : "are", samples.cols());
  }
  const Index max_rank = std::min(samples.rows(), samples.cols() - 1);
  const TopEigenOptions eigen{.count = components_to_compute(options.n_components, max_rank),
                              .tol = options.tol,
                              .max_restarts = options.max_iter,
                              .method = EigenMethod::automatic,
                              .seed = run.seed,
                              .watch = run.watch};
  central_pca::Fit fit;
  LinearModel& model = fit.model;
  model.mean = samples.rowwise().mean();
  const Matrix centred = samples.colwise() - model.mean;
  model.trace = centred.squaredNorm();
  if (!(model.trace > 1e-20 * samples.squaredNorm())) {
    fail(ErrorCategory::InvalidArgument, "the data have no variance: all {} samples are equal",
         samples.cols());
  }
  const bool by_features = samples.rows() <= samples.cols();
  const Matrix transposed = by_features ? Matrix() : Matrix(centred.transpose());
  const EigenPairs top = leading(by_features ? centred : transposed, eigen);
  const Index keep = components_to_keep(options.n_components, top.values, model.trace, 1e-12);

  model.eigenvalues = top.values.head(keep);
  model.training_samples = samples.cols();
  model.components = by_features ? Matrix(top.vectors.leftCols(keep))
                                 : Matrix(centred * top.vectors.leftCols(keep) *
                                          model.eigenvalues.cwiseSqrt().cwiseInverse().asDiagonal());
  fit.scores = centred.transpose() * model.components;
  fit.converged = top.converged;
  fit.residual = top.residual;
  return fit;
}

}  // namespace choir
