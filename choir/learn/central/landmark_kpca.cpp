#include "choir/learn/central/landmark_kpca.h"

#include <algorithm>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/rng.h"
#include "choir/base/stopwatch.h"
#include "choir/kernel/gram.h"
#include "choir/kernel/kmeans.h"
#include "choir/kernel/nystroem.h"
#include "choir/learn/features/appraisal.h"
#include "choir/linalg/eigen.h"

namespace choir {
namespace {

// More samples a landmark than this move a k-means centre less than the choice of its seed does.
constexpr Index samples_per_landmark = 50;
// Beyond the components: they show which of these are separated from what follows.
constexpr Index guards = 8;

void check_count(Index landmarks, Index samples, const ComponentChoice& components) {
  const Index wanted = components.by_fraction() ? 1 : components.count;
  if (landmarks > samples || landmarks <= wanted) {
    fail(ErrorCategory::InvalidArgument,
         "n_landmarks is {}; it must be more than the {} components and at most the {} samples", landmarks,
         wanted, samples);
  }
}

Samples choose_landmarks(const SamplesView& samples, const central_kpca::Options& options,
                         const RunOptions& run) {
  const KMeansOptions kmeans_options{
      .clusters = options.n_landmarks, .seed = run.seed, .threads = run.threads, .watch = run.watch};
  const Index enough = samples_per_landmark * options.n_landmarks;
  if (samples.cols() <= enough) return kmeans(samples, kmeans_options).centres;
  const auto drawn = Rng(run.seed, Purpose("landmark sample")).choose(enough, samples.cols());
  const Samples some = samples(Eigen::all, drawn);
  return kmeans(some, kmeans_options).centres;
}

// Against kernel PCA without landmarks. psi: r x N, not centred; covariance: r x r.
Assessment assess_landmarks(const NystroemFeatures& map, const SamplesView& samples, const Matrix& psi,
                            const Vector& mean, const Matrix& covariance, const GuardedAnswer& answer,
                            const central_kpca::Options& options, std::uint64_t seed) {
  const SharedLandmarks landmarks{.points = Array(map.landmarks()), .whitening = Array(map.whitening())};
  const FeatureMap features{.kernel = options.kernel, .landmarks = landmarks};
  const Rng random(seed, Purpose("halves of landmarks"));
  Assessment assessment;
  assessment.captured_variance = answer.variances.head(answer.kept);
  assessment.unseparated = unseparated_groups(answer.variances, answer.kept);
  assessment.claimed_similarity = claims_from_halves(features, covariance, answer, random);
  if (is_inner_product(options.kernel)) {
    const ResidualSums missed = missed_of_some(options.kernel, answer, mean, samples, psi);
    assessment.claimed_similarity = claims_from_sums(answer, missed.packed(), assessment.claimed_similarity);
    assessment.captured_share = share_from_sums(answer, missed.packed());
  }
  call_weak_claims(assessment, fmt::format("raise --n-landmarks above {}, or omit it for the exact answer",
                                           options.n_landmarks));
  // Of an indefinite kernel landmarks take the positive part: halves that agree may both miss the same.
  if (!is_inner_product(options.kernel) && assessment.good()) assessment.claimed_similarity.resize(0);
  return assessment;
}

}  // namespace

central_kpca::Fit landmark_kernel_pca(const SamplesView& samples, const central_kpca::Options& options,
                                      const RunOptions& run) {
  check_count(options.n_landmarks, samples.cols(), options.n_components);
  const auto count = static_cast<double>(samples.cols());
  const Stopwatch mapping;
  const NystroemFeatures map(options.kernel, choose_landmarks(samples, options, run),
                             {.threads = run.threads});
  Matrix features = map.transform(samples, run.threads);  // r x N
  central_kpca::Fit fit;
  fit.gram_seconds = mapping.seconds();

  const Stopwatch solving;
  const Vector mean = options.centre ? Vector(features.rowwise().mean()) : Vector::Zero(features.rows());
  features.colwise() -= mean;
  // Of an indefinite kernel the features have the positive part, and k(x, x) may be anything.
  const double trace =
      std::max(gram_diagonal<double>(options.kernel, samples).sum() - count * mean.squaredNorm(),
               is_inner_product(options.kernel) ? 0 : features.squaredNorm());
  if (!(features.squaredNorm() > 1e-13 * trace) || !(trace > 0)) {
    fail(ErrorCategory::InvalidArgument,
         "the data have no variance under the kernel {}; check the data and gamma", describe(options.kernel));
  }
  const Matrix scatter = features * features.transpose();
  const Index wanted = components_to_compute(options.n_components, scatter.rows());
  const EigenPairs top =
      top_eigenpairs(DenseOperator(scatter), {.count = std::min(wanted + guards, scatter.rows()),
                                              .tol = options.tol,
                                              .max_restarts = options.max_iter,
                                              .method = EigenMethod::automatic,
                                              .seed = run.seed,
                                              .watch = run.watch});
  const Index keep = components_to_keep(options.n_components, top.values.head(wanted), trace, 1e-11);
  const Matrix directions = top.vectors.leftCols(keep);  // r x D, in feature coordinates

  KernelModel& model = fit.model;
  model.kernel = options.kernel;
  model.points = map.landmarks();
  model.coefficients = map.whitening() * directions;  // R U
  model.mean_weights = map.whitening() * mean;
  model.offset = directions.transpose() * mean;
  model.mean_norm = mean.squaredNorm();
  model.eigenvalues = top.values.head(keep);
  model.trace = trace;
  model.training_samples = samples.cols();
  fit.scores = features.transpose() * directions;
  fit.converged = top.converged;
  fit.residual = top.residual;
  fit.products = top.products;
  features.colwise() += mean;
  const Index all = std::min(keep + guards, top.values.size());
  const GuardedAnswer answer{.directions = top.vectors.leftCols(all),
                             .variances = top.values.head(all).cwiseMax(0) / count,
                             .kept = keep};
  fit.assessment = assess_landmarks(map, samples, features, mean, scatter / count, answer, options, run.seed);
  fit.assessment->total_variance = trace / count;
  fit.eigen_seconds = solving.seconds();
  return fit;
}

}  // namespace choir
