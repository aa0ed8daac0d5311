#include "choir/learn/consensus_kpca/shared_view.h"

#include <utility>

#include "choir/kernel/gram.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir::consensus_kpca {

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

Task<Vector> agreed_claims_beside(Node& node, GuardedAnswer answer, Vector claims, Matrix seen) {
  GuardedAnswer kept = answer;
  kept.directions = answer.directions.leftCols(seen.cols());
  kept.variances = answer.variances.head(seen.cols());
  kept.kept = seen.cols();
  Matrix mine = -claims_from_subspace(kept, seen);
  const Matrix worst = co_await tree_max(node, node.tree(), std::move(mine));
  const Vector beside = -worst.col(0).cwiseProduct(claims.head(seen.cols()));
  co_return beside;
}

}  // namespace choir::consensus_kpca
