#include "choir/learn/central/kernel_pca.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "choir/base/error.h"
#include "choir/base/memory.h"
#include "choir/base/stopwatch.h"
#include "choir/base/text.h"
#include "choir/kernel/centring.h"
#include "choir/kernel/gram.h"
#include "choir/learn/central/landmark_kpca.h"
#include "choir/learn/features/appraisal.h"
#include "choir/learn/linear_start.h"
#include "choir/linalg/blas.h"
#include "choir/linalg/eigen.h"

namespace choir {
namespace {

// What a scalar can tell apart from rounding.
template <class Scalar>
struct Accuracy;
template <>
struct Accuracy<double> {
  static constexpr double zero_variance = 1e-13;  // of the trace, relative to the uncentred one
  static constexpr double rank_cutoff = 1e-11;    // of an eigenvalue, relative to the first
  static constexpr double smallest_tol = 0;
};
template <>
struct Accuracy<float> {
  static constexpr double zero_variance = 1e-6;
  static constexpr double rank_cutoff = 1e-5;
  static constexpr double smallest_tol = 2e-6;
};

struct StoragePlan {
  bool stored = true;
  std::string note;
};

template <class Scalar>
StoragePlan plan_storage(Index samples, const central_kpca::Options& options) {
  const double needed = TriangularGram<Scalar>::bytes_needed(samples);
  const auto limit =
      static_cast<double>(options.memory_limit > 0 ? options.memory_limit : available_memory());
  const bool fits = needed < 0.9 * limit;
  if (options.gram == GramStorage::recomputed || (options.gram == GramStorage::automatic && !fits)) {
    return {
        .stored = false,
        .note = fmt::format("the kernel matrix of {} samples needs {} but only {} can be used, so it is "
                            "recomputed in every product; use landmarks (--n-landmarks 1000) to avoid this",
                            samples, human_bytes(needed), human_bytes(limit))};
  }
  if (!fits) {
    fail(ErrorCategory::OutOfMemory,
         "the kernel matrix of {} samples needs {} but only {} can be used; use landmarks (--n-landmarks "
         "1000)",
         samples, human_bytes(needed), human_bytes(limit));
  }
  return {};
}

// The centred (or plain) kernel matrix as an operator, with what is known about it.
template <class Scalar, class Gram>
struct CentredGram {
  const Gram& gram;
  std::optional<CentredOperator<Scalar>> centred;
  Centring centring;
  double trace = 0;

  CentredGram(const Gram& inner, bool centre) : gram(inner), trace(inner.diagonal().sum()) {
    if (!centre) return;
    centred.emplace(gram);
    centring = Centring::from_row_sums(gram.row_sums());
    trace = centring.centred_trace(gram.diagonal());
  }
  const SymmetricOperatorOf<Scalar>& op() const {
    return centred ? static_cast<const SymmetricOperatorOf<Scalar>&>(*centred) : gram;
  }
};

KernelModel make_model(const SamplesView& samples, const central_kpca::Options& options,
                       const Matrix& vectors, const Vector& values, const Centring& centring, double trace) {
  KernelModel model;
  model.kernel = options.kernel;
  model.points = samples;
  model.eigenvalues = values;
  model.trace = trace;
  model.training_samples = samples.cols();
  model.coefficients = vectors * values.cwiseSqrt().cwiseInverse().asDiagonal();
  model.mean_weights = Vector::Zero(samples.cols());
  model.offset = Vector::Zero(values.size());
  if (options.centre) {
    model.coefficients.rowwise() -= model.coefficients.colwise().mean().eval();  // H, against rounding
    model.mean_weights.setConstant(1.0 / static_cast<double>(samples.cols()));
    model.offset = model.coefficients.transpose() * centring.means();  // C'K g, K g being the row means
    model.mean_norm = centring.grand_mean();
  }
  return model;
}

template <class Scalar, class Gram>
central_kpca::Fit solve(const SamplesView& samples, const MatrixView<Scalar>& x, const Gram& gram,
                        const central_kpca::Options& options, const RunOptions& run) {
  const CentredGram<Scalar, Gram> centred(gram, options.centre);
  if (centred.trace < 0 && !is_inner_product(options.kernel)) {
    fail(
        ErrorCategory::InvalidArgument,
        "the kernel {} is no inner product on these samples: the eigenvalues of its centred matrix add up to "
        "{:.3g}; use another kernel",
        describe(options.kernel), centred.trace);
  }
  if (!(centred.trace > Accuracy<Scalar>::zero_variance * gram.diagonal().cwiseAbs().sum())) {
    fail(ErrorCategory::InvalidArgument,
         "the data have no variance under the kernel {}: all {} samples are equal to it; check the data and "
         "gamma",
         describe(options.kernel), samples.cols());
  }
  const Stopwatch watch;
  const double tol = std::max(options.tol, Accuracy<Scalar>::smallest_tol);
  const Index max_rank = samples.cols() - (options.centre ? 1 : 0);
  const Index count = components_to_compute(options.n_components, max_rank);
  const auto top =
      top_eigenpairs(centred.op(), {.count = count,
                                    .tol = tol,
                                    .max_restarts = options.max_iter,
                                    .method = EigenMethod::automatic,
                                    .seed = run.seed,
                                    .start = linear_start<Scalar>(x, std::min(count + 4, x.cols()), run.seed),
                                    .watch = run.watch});
  const Vector all_values = top.values.template cast<double>();
  const Index keep =
      components_to_keep(options.n_components, all_values, centred.trace, Accuracy<Scalar>::rank_cutoff);
  const Vector values = all_values.head(keep);

  central_kpca::Fit fit;
  fit.model = make_model(samples, options, top.vectors.leftCols(keep).template cast<double>(), values,
                         centred.centring, centred.trace);
  // <phi_c(x_n), w_d> = (K_c v_d)_n / sqrt(lambda_d): the very thing transform computes, whatever tol was.
  fit.scores =
      top.images.leftCols(keep).template cast<double>() * values.cwiseSqrt().cwiseInverse().asDiagonal();
  fit.converged = top.converged;
  fit.residual = top.residual;
  fit.centring = centred.centring;
  fit.products = top.products;
  fit.eigen_seconds = watch.seconds();
  return fit;
}

template <class Scalar>
central_kpca::Fit exact(const SamplesView& samples, const MatrixView<Scalar>& x,
                        const central_kpca::Options& options, const RunOptions& run) {
  const StoragePlan plan = plan_storage<Scalar>(samples.cols(), options);
  const GramOptions gram_options{.threads = run.threads, .watch = run.watch};
  const Stopwatch watch;
  const auto finish = [&](const auto& gram) {
    const double gram_seconds = watch.seconds();
    central_kpca::Fit fit = solve<Scalar>(samples, x, gram, options, run);
    fit.gram_seconds = gram_seconds;
    fit.note = plan.note;
    return fit;
  };
  if (plan.stored) return finish(TriangularGram<Scalar>::compute(options.kernel, x, gram_options));
  return finish(RecomputedGram<Scalar>(options.kernel, x, gram_options));
}

}  // namespace

constexpr auto gram_storage_names = words_in_order<GramStorage::recomputed>("auto", "stored", "recomputed");
ChoiceNames<GramStorage> choice_names(GramStorage) { return gram_storage_names; }

central_kpca::Fit fit_central_kpca(const SamplesView& samples, const central_kpca::Options& options,
                                   const RunOptions& run) {
  const SingleThreadedBlas scope;
  validate(options.kernel);
  if (samples.cols() < 2) {
    fail(ErrorCategory::InvalidArgument, "kernel PCA needs at least 2 samples; there {} {}",
         samples.cols() == 1 ? "is" : "are", samples.cols());
  }
  components_to_compute(options.n_components,
                        samples.cols() - (options.centre ? 1 : 0));  // refuse before the work
  if (options.n_landmarks > 0) return landmark_kernel_pca(samples, options, run);
  if (options.precision == Precision::float32) {
    const MatrixOf<float> single = samples.cast<float>();
    return exact<float>(samples, single, options, run);
  }
  return exact<double>(samples, samples, options, run);
}

}  // namespace choir
