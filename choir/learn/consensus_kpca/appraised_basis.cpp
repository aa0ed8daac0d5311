#include "choir/learn/consensus_kpca/appraised_basis.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "choir/learn/consensus_kpca/shared_view.h"
#include "choir/learn/features/appraisal.h"

namespace choir::consensus_kpca {
namespace {

// What half of the features would have found, wherever the covariance of all of them is known.
auto appraiser(const Node& node, const FeatureMap& map) {
  return [map, random = node.rng(Purpose("halves of features"), 0)](const Matrix& covariance,
                                                                    const GuardedAnswer& answer) {
    return claims_from_halves(map, covariance, answer, random);
  };
}

// The eigenvalues are captured variances already: those of the covariance within the features' span, about
// the exact mean.
Assessment captured_by(const FeatureBasis& basis) {
  Assessment assessment;
  assessment.captured_variance = basis.answer.variances.head(basis.answer.kept);
  assessment.total_variance = basis.trace / static_cast<double>(basis.samples);
  assessment.unseparated = unseparated_groups(basis.answer.variances, basis.answer.kept);
  return assessment;
}

std::string landmark_advice(const Options& options, Index samples) {
  if (options.public_points)
    return fmt::format("give more than {} public landmarks, or lower --gamma",
                       options.public_points->columns());
  return advice_of_landmarks(options.n_landmarks, samples);
}

}  // namespace

Task<AppraisedBasis> appraised_basis(Node& node, SecureSums& sums, FeatureMap map, const Matrix& psi,
                                     const Matrix& kernel, const Options& options, bool all_if_short) {
  FeatureMoments mine = FeatureMoments::of(psi, kernel.diagonal());
  BasisWish wish{.components = options.n_components,
                 .inner_product = is_inner_product(map.kernel),
                 .all_if_short = all_if_short,
                 .appraise = appraiser(node, map)};
  AppraisedBasis shared;
  shared.basis = co_await agreed_basis(node, sums, std::move(mine), options.agree, std::move(wish));
  const FeatureBasis& basis = shared.basis;
  shared.assessment = captured_by(basis);
  if (map.landmarks && !is_inner_product(map.kernel)) {  // what is missed has no length there
    shared.assessment.claimed_similarity = basis.claims;
    shared.advice = "use another kernel: this one is no inner product on these samples";
  } else if (map.landmarks) {
    ResidualSums missed = missed_by_landmarks(basis.answer, basis.mean, psi, kernel);
    const AgreedClaims claims =
        co_await agreed_claims(node, sums, basis.answer, std::move(missed), basis.claims);
    shared.assessment.claimed_similarity = claims.similarity;
    shared.assessment.captured_share = claims.captured_share;
    shared.advice = landmark_advice(options, basis.samples);
  } else {
    shared.kernel_error = co_await agreed_kernel_error(node, sums, psi, kernel);
    shared.assessment.claimed_similarity =
        basis.claims.cwiseMin(claims_despite_error(shared.assessment.captured_variance, shared.kernel_error));
    shared.advice = fmt::format("raise --n-features above {}, or use --share landmarks", options.n_features);
  }
  call_weak_claims(shared.assessment, shared.advice);
  co_return shared;
}

Assessment assessment_of_leading(const AppraisedBasis& shared, Index kept) {
  const Assessment& all = shared.assessment;
  if (kept >= all.claimed_similarity.size()) return all;
  Assessment leading{.captured_variance = all.captured_variance.head(kept),
                     .total_variance = all.total_variance,
                     .claimed_similarity = all.claimed_similarity.head(kept),
                     .unseparated = unseparated_groups(shared.basis.answer.variances, kept)};
  call_weak_claims(leading, shared.advice);
  return leading;
}

Task<Assessment> appraised_own(Node& node, const AppraisedBasis& shared, Matrix seen, const Matrix& overlap) {
  const Vector lengths = overlap.diagonal().cwiseMax(0).cwiseSqrt();
  const Vector scales = lengths.unaryExpr([](double length) { return length > 0 ? 1 / length : 0.0; });
  seen *= scales.asDiagonal();
  const Vector cosines = co_await agreed_cosines(node, shared.basis.answer, std::move(seen));
  Assessment assessment{.total_variance = shared.assessment.total_variance,
                        .unseparated = unseparated_groups(shared.basis.answer.variances, cosines.size())};
  assessment.claimed_similarity =
      claims_beside(cosines, shared.assessment.claimed_similarity.head(cosines.size()));
  call_weak_claims(assessment, "use --use shared, or give nodes more samples");
  co_return assessment;
}

}  // namespace choir::consensus_kpca
