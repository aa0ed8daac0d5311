#include "choir/runtime/blocks/mixing_estimate.h"

#include <algorithm>
#include <cmath>

#include "choir/linalg/types.h"
#include "choir/runtime/blocks/average.h"
#include "choir/runtime/blocks/metropolis_mix.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

constexpr Purpose start_purpose("mixing-start");

// How many eigenvalues lie below x (Sturm).
Index count_below(const JacobiMatrix& matrix, double x) {
  constexpr double tiny = 1e-300;
  Index below = 0;
  double pivot = 1;
  for (std::size_t i = 0; i < matrix.diagonal.size(); ++i) {
    const double coupling = i == 0 ? 0 : matrix.squared_off_diagonal[i - 1] / pivot;
    pivot = matrix.diagonal[i] - x - coupling;
    if (std::abs(pivot) < tiny) pivot = -tiny;
    if (pivot < 0) ++below;
  }
  return below;
}

// The largest eigenvalue, which is at most 1.
double largest_eigenvalue(const JacobiMatrix& matrix) {
  const auto size = static_cast<Index>(matrix.diagonal.size());
  double low = -1;
  double high = 1;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = 0.5 * (low + high);
    (count_below(matrix, middle) == size ? high : low) = middle;
  }
  return low;
}

// The node's own terms of u_i' u_i and u_{i+1}' u_i, and of the sum of u_0, which is W's first eigenvector's
// share.
Task<Matrix> chebyshev_products(Node& node, MetropolisMix mix, Index rounds) {
  Matrix products(2 * rounds + 1, 1);
  Matrix before;
  Matrix now = Matrix::Constant(1, 1, node.rng(start_purpose, 0).normal());
  products(2 * rounds, 0) = now(0, 0);
  for (Index round = 0; round < rounds; ++round) {
    Message mine(Kind::statistics);
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

std::vector<double> moments_of(const Matrix& products, Index nodes) {
  const Index count = products.rows() - 1;
  const double sum = products(count, 0);
  const double constant_share = sum * sum / static_cast<double>(nodes);
  std::vector<double> moments(static_cast<std::size_t>(count));
  for (Index k = 0; k < count; ++k) {
    const double product = products(k, 0) - constant_share;
    moments[static_cast<std::size_t>(k)] = k < 2 ? product : 2 * product - moments[k % 2 == 0 ? 0 : 1];
  }
  return moments;
}

}  // namespace

// In the literature's letters, with sigma_{k,l} scaled by 2^(k+l) so that long recurrences stay in range.
JacobiMatrix jacobi_matrix(const std::vector<double>& chebyshev_moments) {
  constexpr double exhausted = 1e-10;
  JacobiMatrix matrix;
  if (chebyshev_moments.size() < 2 || !(chebyshev_moments[0] > 0)) return matrix;
  std::vector<double> before(chebyshev_moments.size(), 0);
  std::vector<double> sigma = chebyshev_moments;
  for (std::size_t l = 1; l < sigma.size(); ++l) sigma[l] *= 2;
  double ratio_before = 0;
  double beta = 0;
  for (std::size_t k = 0; 2 * k + 1 < chebyshev_moments.size(); ++k) {
    if (!(sigma[k] > exhausted * chebyshev_moments[0])) break;
    if (k > 0) {
      beta = 0.25 * sigma[k] / before[k - 1];
      matrix.squared_off_diagonal.push_back(beta);
    }
    const double ratio = 0.5 * sigma[k + 1] / sigma[k];
    const double alpha = ratio - ratio_before;
    matrix.diagonal.push_back(alpha);
    std::vector<double> next(sigma.size(), 0);
    for (std::size_t l = k + 1; l + k + 1 < sigma.size(); ++l) {
      next[l] = sigma[l + 1] - 2 * alpha * sigma[l] - 4 * beta * before[l] + (l == 1 ? 2 : 1) * sigma[l - 1];
    }
    ratio_before = ratio;
    before = std::move(sigma);
    sigma = std::move(next);
  }
  return matrix;
}

double spectral_radius(const JacobiMatrix& matrix) {
  JacobiMatrix mirrored = matrix;
  for (double& entry : mirrored.diagonal) entry = -entry;
  return std::max(largest_eigenvalue(matrix), largest_eigenvalue(mirrored));
}

double krylov_estimate(const std::vector<double>& chebyshev_moments) {
  const JacobiMatrix matrix = jacobi_matrix(chebyshev_moments);
  return matrix.diagonal.empty() ? 0 : std::max(0.0, spectral_radius(matrix));
}

Task<double> estimate_mixing(Node& node, Index rounds) {
  if (node.network_size() == 1 || rounds < 1) co_return 0.0;
  const MetropolisMix mix = co_await learn_metropolis_mix(node);
  const Matrix mine = co_await chebyshev_products(node, mix, rounds);
  const Matrix all = co_await tree_sum(node, node.tree(), mine);
  // The root alone computes it: others may be machines that round differently.
  Message estimate(Kind::statistics);
  if (node.tree().parent == node.id()) {
    estimate.number(krylov_estimate(moments_of(all, node.network_size())));
  }
  const Message agreed = co_await broadcast(node, node.tree(), estimate);
  co_return std::min(agreed.number(0), safe_mixing_bound(node.network_size()));
}

}  // namespace choir
