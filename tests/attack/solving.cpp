#include "attack/solving.h"

#include <cmath>
#include <vector>

#include <Eigen/Cholesky>

#include "choir/base/rng.h"
#include "choir/linalg/eigen.h"

namespace choir::testing_attack {
namespace {

constexpr double step_of_derivative = 1e-5;
constexpr int most_steps = 200;

Matrix derivative(const Features& psi, const Vector& at) {
  Matrix slopes(psi(at).size(), at.size());
  for (Index i = 0; i < at.size(); ++i) {
    Vector moved = at;
    moved(i) += step_of_derivative;
    const Vector above = psi(moved);
    moved(i) -= 2 * step_of_derivative;
    slopes.col(i) = (above - psi(moved)) / (2 * step_of_derivative);
  }
  return slopes;
}

Matrix columns_beside(const std::vector<Vector>& columns, Index rows) {
  Matrix all(rows, static_cast<Index>(columns.size()));
  for (Index n = 0; n < all.cols(); ++n) all.col(n) = columns[static_cast<std::size_t>(n)];
  return all;
}

}  // namespace

Samples samples_in_span(const Matrix& products, Index samples, const Features& psi, const Samples& starts) {
  const EigenPairs pairs = eigen_symmetric<double>(products);
  const Matrix span = pairs.vectors.leftCols(samples);
  const Vector values = pairs.values.head(samples);
  const auto outside = [&](const Matrix& of) -> Matrix { return of - span * (span.transpose() * of); };
  std::vector<Vector> found;
  for (const auto& start : starts.colwise()) {
    Vector x = start;
    double damping = 1e-2;
    Vector rest = outside(psi(x));
    for (int step = 0; step < most_steps && damping < 1e8 && rest.squaredNorm() > 1e-22; ++step) {
      const Matrix slopes = outside(derivative(psi, x));
      Matrix curvature = slopes.transpose() * slopes;
      curvature.diagonal() *= 1 + damping;
      curvature.diagonal().array() += 1e-15;
      const Vector next = x - curvature.ldlt().solve(slopes.transpose() * rest);
      const Vector next_rest = outside(psi(next));
      const bool better = next_rest.squaredNorm() < rest.squaredNorm();
      if (better) {
        x = next;
        rest = next_rest;
      }
      damping *= better ? 0.25 : 4;
    }
    const Vector f = psi(x);
    const Vector inside = span.transpose() * f;
    const double part = inside.cwiseAbs2().cwiseQuotient(values).sum();
    if (rest.squaredNorm() < 1e-12 * f.squaredNorm() && std::abs(part - 1) < 1e-3) found.push_back(x);
  }
  return columns_beside(found, starts.rows());
}

Samples lone_samples(const Matrix& products, const Features& psi, double width, Index cells,
                     Index most_cells) {
  const EigenPairs pairs = eigen_symmetric<double>(products);
  const Vector roots = pairs.values.cwiseMax(1e-12 * pairs.values(0)).cwiseSqrt().cwiseInverse();
  const auto place = [&](Index cell) {
    return width * (2 * static_cast<double>(cell) / static_cast<double>(cells - 1) - 1);
  };
  Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic> possible(cells, cells);
  for (Index i = 0; i < cells; ++i) {
    for (Index j = 0; j < cells; ++j) {
      const Vector f = psi(Eigen::Vector2d(place(i), place(j)));
      possible(i, j) = (roots.asDiagonal() * (pairs.vectors.transpose() * f)).squaredNorm() <= 1;
    }
  }
  std::vector<Vector> guesses;
  for (Index i = 0; i < cells; ++i) {
    for (Index j = 0; j < cells; ++j) {
      if (!possible(i, j)) continue;
      std::vector<std::pair<Index, Index>> island = {{i, j}};  // taken off the map as it is walked
      possible(i, j) = false;
      Eigen::Vector2d sum = Eigen::Vector2d::Zero();
      for (std::size_t at = 0; at < island.size(); ++at) {
        const auto [row, column] = island[at];
        sum += Eigen::Vector2d(place(row), place(column));
        for (const auto& [down, right] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
          const Index r = row + down, c = column + right;
          if (r < 0 || c < 0 || r >= cells || c >= cells || !possible(r, c)) continue;
          possible(r, c) = false;
          island.emplace_back(r, c);
        }
      }
      if (std::ssize(island) <= most_cells) guesses.emplace_back(sum / static_cast<double>(island.size()));
    }
  }
  return columns_beside(guesses, 2);
}

Samples samples_of_the_plane(Index count, std::uint64_t seed) {
  Rng random(seed, Purpose("plane"));
  Samples samples = Samples::NullaryExpr(2, count, [&] { return random.normal(); });
  samples.leftCols(3) *= 2;
  return samples;
}

}  // namespace choir::testing_attack
