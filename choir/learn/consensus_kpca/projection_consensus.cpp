#include "choir/learn/consensus_kpca/projection_consensus.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "choir/linalg/eigen.h"
#include "choir/linalg/polar.h"

namespace choir::consensus_kpca {
namespace {

// A column with less than this share of the block's mean length lies outside the node's span but for a rest,
// and the rest is judged by the length of the others.
constexpr double least_length = 1e-2;

// A column of less than this share of the longest one's squared length is rounding, and stays so: there are
// fewer directions than columns.
constexpr double no_length = 1e-24;

// No direction of z is made longer than this allows in one step, relative to the longest one's squared
// length.
constexpr double weakest_direction = 1e-14;

double ratio(double difference, double norm) { return norm > 0 ? difference / norm : difference; }

}  // namespace

ProjectionConsensus::ProjectionConsensus(PseudoInverseBasis basis, NeighborhoodKernel kernel, Index columns)
    : basis_(std::move(basis)),
      kernel_(std::move(kernel)),
      b_(Matrix::Zero(basis_.rank(), columns)),
      c_(Matrix::Zero(kernel_.rows(), columns)),
      p_(Matrix::Zero(basis_.rank(), kernel_.members() * columns)),
      h_(p_) {}

void ProjectionConsensus::begin_with_coefficients(Matrix c) {
  c_ = std::move(c);
  y_ = kernel_.times(c_);
  b_ = basis_.coords(y_.topRows(kernel_.size(0)));
}

Matrix ProjectionConsensus::correction(Index member, const Rho& rho, ZStep z_step) const {
  Matrix v = b_ + of(h_, member) / rho.of(member);
  if (z_step == ZStep::unbiased) v -= of(p_, member);
  return basis_.lift(v);
}

void ProjectionConsensus::add(Index member, const Eigen::Ref<const Matrix>& correction, double share) {
  c_.middleRows(kernel_.begin(member), kernel_.size(member)) += share * correction;
}

const Matrix& ProjectionConsensus::project() {
  y_ = kernel_.times(c_);
  const Matrix gram = c_.transpose() * y_;
  if (columns() == 1) {
    const double scale = 1 / std::max(1.0, std::sqrt(std::max(0.0, gram(0, 0))));
    c_ *= scale;
    y_ *= scale;
  } else {
    const Matrix root = orthonormalising(c_, (gram + gram.transpose()) / 2, kernel_.rounding());
    c_ *= root;
    y_ *= root;
  }
  set_projection(0, y_.topRows(kernel_.size(0)));
  return y_;
}

void ProjectionConsensus::set_projection(Index member, const Eigen::Ref<const Matrix>& y) {
  of(p_, member) = basis_.coords(y);
}

Vector ProjectionConsensus::solve(const Rho& rho, const std::vector<bool>& alive) {
  Matrix right = Matrix::Zero(b_.rows(), columns());
  for (Index l = 0; l < members(); ++l) {
    if (alive[static_cast<std::size_t>(l)]) right += rho.of(l) * of(p_, l) - of(h_, l);
  }
  const auto others = static_cast<Index>(std::count(alive.begin(), alive.end(), true)) - 1;
  const Vector diagonal = rho.sum(others) - 2 * basis_.L.array();
  Matrix next = diagonal.cwiseInverse().asDiagonal() * right;  // eq. 12
  for (Index l = 0; l < members(); ++l) {                      // eq. 13
    if (alive[static_cast<std::size_t>(l)]) of(h_, l) += rho.of(l) * (next - of(p_, l));
  }
  std::swap(b_, next);
  return moved_directions(b_, next);
}

Vector ProjectionConsensus::gaps(const std::vector<bool>& alive) const {
  Vector worst = Vector::Zero(columns());
  for (Index l = 1; l < members(); ++l) {
    if (!alive[static_cast<std::size_t>(l)]) continue;
    for (Index d = 0; d < columns(); ++d) {
      const auto own = of(p_, 0).col(d);
      worst(d) = std::max(worst(d), ratio((of(p_, l).col(d) - own).norm(), own.norm()));
    }
  }
  return worst;
}

double ProjectionConsensus::gap(const std::vector<bool>& alive) const {
  double worst = 0;
  for (Index l = 1; l < members(); ++l) {
    if (!alive[static_cast<std::size_t>(l)]) continue;
    worst = std::max(worst, ratio((of(p_, l) - of(p_, 0)).norm(), of(p_, 0).norm()));
  }
  return worst;
}

void ProjectionConsensus::rotate(const Matrix& turn) {
  Matrix p(p_.rows(), members() * turn.cols());
  Matrix h(h_.rows(), members() * turn.cols());
  for (Index l = 0; l < members(); ++l) {
    p.middleCols(l * turn.cols(), turn.cols()) = of(p_, l) * turn;
    h.middleCols(l * turn.cols(), turn.cols()) = of(h_, l) * turn;
  }
  p_ = std::move(p);
  h_ = std::move(h);
  b_ = (b_ * turn).eval();
  c_ = (c_ * turn).eval();
  if (y_.size() > 0) y_ = (y_ * turn).eval();
}

Vector ProjectionConsensus::unit_scales() const {
  const Vector squares = c_.cwiseProduct(y_).colwise().sum();
  const double least = no_length * squares.maxCoeff();
  return squares.unaryExpr([&](double square) { return square > least ? 1 / std::sqrt(square) : 0.0; });
}

void ProjectionConsensus::normalise() {
  const Vector scales = unit_scales();
  c_ *= scales.asDiagonal();
  y_ *= scales.asDiagonal();
}

Matrix orthonormalising(const Matrix& c, const Matrix& gram, double rounding) {
  const EigenPairs pairs = eigen_symmetric<double>(gram);
  if (pairs.values.size() == 0 || !(pairs.values(0) > 0)) return Matrix::Zero(gram.rows(), gram.cols());
  const Vector noise = rounding * (c * pairs.vectors).colwise().squaredNorm().transpose();
  const Vector floor = noise.cwiseMax(weakest_direction * pairs.values(0));
  const Vector scales = pairs.values.cwiseMax(floor).cwiseSqrt().cwiseInverse();
  return pairs.vectors * scales.asDiagonal() * pairs.vectors.transpose();
}

Vector moved_directions(const Matrix& a, const Matrix& b) {
  const double columns = std::sqrt(static_cast<double>(a.cols()));
  const double norm_a = a.norm();
  const double norm_b = b.norm();
  if (norm_a == 0 || norm_b == 0) return Vector::Constant(a.cols(), norm_a == norm_b ? 0 : 1);
  const Vector lengths = a.colwise().norm() * (columns / norm_a);
  const Vector moved = (a / norm_a - b / norm_b).colwise().norm() * columns;
  return moved.cwiseQuotient(lengths.cwiseMax(least_length));
}

Matrix alignment(const Matrix& own, const Matrix& reference) {
  const Matrix overlap = own.transpose() * reference;
  if (overlap.size() == 1) return Matrix::Constant(1, 1, overlap(0, 0) < 0 ? -1 : 1);
  return polar_factor(overlap);
}

}  // namespace choir::consensus_kpca
