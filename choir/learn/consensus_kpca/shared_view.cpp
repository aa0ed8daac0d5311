#include "choir/learn/consensus_kpca/shared_view.h"

#include <utility>

#include "choir/kernel/gram.h"
#include "choir/learn/assessment/assessment.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir::consensus_kpca {
namespace {

// The guess is a quotient of estimates: half of the error or less, or the answer with the larger claim stays.
constexpr double clearly_better = 0.5;

}  // namespace

Matrix in_landmark_features(const LandmarkView& view, const std::vector<Array>& shards,
                            const Matrix& coefficients) {
  Matrix products = Matrix::Zero(view.landmarks.points.columns(), coefficients.cols());
  Matrix centred = Matrix::Zero(view.own_mean.size(), coefficients.cols());
  Index begin = 0;
  for (const Array& shard : shards) {
    const Matrix part = coefficients.middleRows(begin, shard.columns());
    products += gram<double>(view.kernel, view.landmarks.points.matrix(), shard.matrix()) * part;
    centred -= (begin == 0 ? view.own_mean : view.shown_mean) * part.colwise().sum();
    begin += shard.columns();
  }
  return centred + view.landmarks.whitening.matrix().transpose() * products;
}

double agreement_with(const GuardedAnswer& answer, const Matrix& seen) {
  if (!seen.allFinite()) return 0;
  return (answer.directions.leftCols(answer.kept).transpose() * seen).squaredNorm() /
         static_cast<double>(answer.kept);
}

Task<Vector> agreed_cosines(Node& node, GuardedAnswer answer, Matrix seen) {
  const Index kept = seen.cols();
  const GuardedAnswer same{
      .directions = answer.directions.leftCols(kept), .variances = answer.variances.head(kept), .kept = kept};
  Matrix mine = -claims_from_subspace(same, seen);
  const Matrix worst = co_await tree_max(node, node.tree(), std::move(mine));
  const Vector cosines = -worst.col(0);
  co_return cosines;
}

Vector claims_beside(const Vector& cosines, const Vector& claims) { return cosines.cwiseProduct(claims); }

bool is_better_beside(const Vector& cosines, const Vector& claims) {
  const bool has_a_claim =
      claims_beside(cosines, claims).minCoeff() >= weak_claim || claims.minCoeff() < weak_claim;
  const Vector guess = cosines.array() / claims.array().max(1e-3);
  return has_a_claim && 1 - guess.minCoeff() < clearly_better * (1 - claims.minCoeff());
}

}  // namespace choir::consensus_kpca
