#include "choir/runtime/blocks/mixing_estimate.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "choir/linalg/eigen.h"
#include "choir/runtime/blocks/average.h"
#include "choir/runtime/blocks/metropolis_mix.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

constexpr Purpose start_purpose("mixing-start");

// <T_i, T_j> for the measure with these moments.
double product(const Vector& moments, Index i, Index j) {
  return 0.5 * (moments[i + j] + moments[std::abs(i - j)]);
}

// The node's own terms of u_i' u_i and u_{i+1}' u_i, and of the sum of u_0, which is W's first eigenvector's
// share.
Task<Matrix> chebyshev_products(Node& node, MetropolisMix mix, Index rounds) {
  Matrix products(2 * rounds + 1, 1);
  Matrix before;
  Matrix now = Matrix::Constant(1, 1, node.rng(start_purpose, 0).normal());
  products(2 * rounds, 0) = now(0, 0);
  for (Index round = 0; round < rounds; ++round) {
    Message mine(Kind::control);
    mine.array(Array(now));
    const Inbox inbox = co_await node.exchange(mine, node.deadline());
    Matrix next = mix.apply(node, now, inbox);
    if (round > 0) next = 2 * next - before;
    products(2 * round, 0) = now(0, 0) * now(0, 0);
    products(2 * round + 1, 0) = next(0, 0) * now(0, 0);
    before = std::move(now);
    now = std::move(next);
  }
  co_return products;
}

Vector moments_of(const Matrix& products, Index nodes) {
  const Index count = products.rows() - 1;
  const double sum = products(count, 0);
  const double constant_share = sum * sum / static_cast<double>(nodes);
  Vector moments = products.col(0).head(count).array() - constant_share;
  for (Index k = 2; k < count; ++k) moments[k] = 2 * moments[k] - moments[k % 2];
  return moments;
}

}  // namespace

double krylov_estimate(const Vector& chebyshev_moments) {
  constexpr double mostly_rounding = 1e-9;  // Ritz values are then good to about 1e-16 / 1e-9
  const Index size = chebyshev_moments.size() / 2;
  if (size == 0 || !(chebyshev_moments[0] > 0)) return 0;
  Matrix gram(size, size);
  Matrix image(size, size);  // <T_i, x T_j>, with x T_j = (T_{j+1} + T_{|j-1|}) / 2
  for (Index j = 0; j < size; ++j) {
    for (Index i = j; i < size; ++i) {
      gram(i, j) = product(chebyshev_moments, i, j);
      image(i, j) = image(j, i) =
          0.5 * (product(chebyshev_moments, j + 1, i) + product(chebyshev_moments, std::abs(j - 1), i));
    }
  }
  const EigenPairs basis = eigen_symmetric(std::move(gram));
  Index rank = 0;
  while (rank < size && basis.values[rank] > mostly_rounding * basis.values[0]) ++rank;
  const Matrix orthonormal =
      basis.vectors.leftCols(rank) * basis.values.head(rank).cwiseSqrt().cwiseInverse().asDiagonal();
  const EigenPairs ritz = eigen_symmetric(Matrix(orthonormal.transpose() * image * orthonormal));
  return ritz.values.cwiseAbs().maxCoeff();
}

Task<double> estimate_mixing(Node& node, Index rounds) {
  if (node.network_size() == 1 || rounds < 1) co_return 0.0;
  const MetropolisMix mix = co_await learn_metropolis_mix(node);
  const Matrix mine = co_await chebyshev_products(node, mix, rounds);
  const Matrix all = co_await tree_sum(node, node.tree(), mine, Kind::control);
  // The root alone computes it: others may be machines that round differently.
  Message estimate(Kind::control);
  if (node.tree().parent == node.id()) {
    estimate.number(krylov_estimate(moments_of(all, node.network_size())));
  }
  const Message agreed = co_await broadcast(node, node.tree(), estimate);
  co_return std::min(agreed.number(0), safe_mixing_bound(node.network_size()));
}

}  // namespace choir
