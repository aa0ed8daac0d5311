#include "choir/learn/gossip_pca/feature_claims.h"

#include <fmt/format.h>

#include "choir/kernel/gram.h"
#include "choir/linalg/eigen.h"

namespace choir::gossip_pca {

double squares_outside(const KernelForm& form, const MatrixView<double>& psi) {
  if (!form.map.landmarks || !is_inner_product(form.map.kernel) || psi.cols() == 0) return 0;
  return gram_diagonal<double>(form.map.kernel, form.samples.matrix()).sum() - psi.squaredNorm();
}

Matrix appraisal_sums(const KernelForm& form, const GuardedAnswer& answer, const Vector& mean,
                      const MatrixView<double>& psi) {
  const Kernel& kernel = form.map.kernel;
  if (!form.map.landmarks) return kernel_error_of_some(kernel, form.samples.matrix(), psi);
  return missed_of_some(kernel, answer, mean, form.samples.matrix(), psi).packed();
}

AgreedClaims claims_of_features(const FeatureMap& map, const GuardedAnswer& answer, const Vector& halves,
                                const Matrix& sums) {
  if (!is_inner_product(map.kernel)) return {.similarity = halves};
  if (map.landmarks) {
    return {.similarity = claims_from_sums(answer, sums, halves),
            .captured_share = share_from_sums(answer, sums)};
  }
  const Vector kept = answer.variances.head(answer.kept);
  const double error = cautious_kernel_error(sums, map.random->count);
  return {.similarity = halves.cwiseMin(claims_despite_error(kept, error))};
}

double own_claim(const KernelForm& form, const MatrixView<double>& psi, const Vector& variances) {
  if (variances.size() == 0) return 1;
  const Matrix sums = kernel_error_of_some(form.map.kernel, form.samples.matrix(), psi);
  const auto& random = form.map.random;
  const double error = random ? cautious_kernel_error(sums, random->count) : kernel_error(sums);
  return claims_despite_error(variances, error).minCoeff();
}

std::string feature_advice(const Options& options, Index samples) {
  if (!is_inner_product(options.kernel))
    return "use another kernel: this one is no inner product on these samples";
  if (options.features == FeatureKind::landmarks) return advice_of_landmarks(options.n_landmarks, samples);
  return fmt::format("raise --n-features above {}, or use --features landmarks", options.n_features);
}

}  // namespace choir::gossip_pca
