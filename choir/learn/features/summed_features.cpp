#include "choir/learn/features/summed_features.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "choir/base/error.h"
#include "choir/learn/features/safe_total.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {

Index require_safe_total(Index samples, Index inputs, Index wanted) {
  const Index most = safe_total(samples, inputs, wanted);
  if (most > 0) return most;
  fail(ErrorCategory::InvalidArgument,
       "the network has {} samples of {} features in all: whoever reads a sum over so few could solve it for "
       "them; give the nodes more samples, or use --share samples if neighbours may see them",
       samples, inputs);
}

Task<std::vector<Index>> features_to_sum(Node& node, SecureSums& sums, Matrix psi, Index inputs) {
  // One row: a masked sum tells the largest magnitude of each row.
  Matrix mine = psi.rowwise().squaredNorm().transpose();
  const Matrix squares = co_await secure_sum(node, sums, std::move(mine));
  std::vector<Index> order(static_cast<std::size_t>(psi.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index a, Index b) { return squares(0, a) > squares(0, b); });
  const Matrix ranked = psi(order, Eigen::all);
  const Vector ranked_squares = squares.row(0)(order);
  const Index bearable = features_without_lone_samples(ranked, ranked_squares, leverage_limit(inputs));
  Matrix fewest = Matrix::Constant(1, 1, -static_cast<double>(bearable));
  const Matrix agreed = co_await tree_max(node, node.tree(), std::move(fewest));
  order.resize(static_cast<std::size_t>(std::max<Index>(1, static_cast<Index>(-agreed(0, 0)))));
  co_return order;
}

}  // namespace choir
