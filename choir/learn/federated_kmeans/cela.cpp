#include "choir/learn/federated_kmeans/cela.h"

#include <algorithm>
#include <cmath>

#include "choir/base/error.h"
#include "choir/base/rng.h"

namespace choir::federated_kmeans {
namespace {

constexpr Index products_between_looks = 5;
constexpr Index more_than_wanted = 5;
constexpr double numbers_in_a_header = 6;  // of a message with one array

Vector random_direction(Index size, std::uint64_t seed) {
  Rng rng(seed, Purpose("cela"));
  const Vector direction = Vector::NullaryExpr(size, [&] { return rng.normal(); });
  return direction.normalized();
}

}  // namespace

Cela::Cela(Index size, const CelaRule& rule, std::uint64_t seed) : rule_(rule) {
  if (size < 1) throw Error(ErrorCategory::InvalidArgument, "Lanczos needs a matrix with at least one row");
  rule_.most = rule.most > 0 ? std::min(rule.most, size) : size;
  basis_.resize(size, rule_.most);
  projection_ = Matrix::Zero(rule_.most, rule_.most);
  next_ = random_direction(size, seed);
}

void Cela::orthogonalize(Vector& vector) const {
  const auto known = basis_.leftCols(count_);
  for (int pass = 0; pass < 2; ++pass) vector -= known * (known.transpose() * vector);
}

void Cela::absorb(const Vector& product) {
  if (product.size() != basis_.rows()) {
    fail(ErrorCategory::BadData, "a product has {} numbers instead of {}", product.size(), basis_.rows());
  }
  basis_.col(count_) = next_;
  ++count_;
  const Vector coefficients = basis_.leftCols(count_).transpose() * product;
  projection_.col(count_ - 1).head(count_) = coefficients;
  projection_.row(count_ - 1).head(count_) = coefficients.transpose();
  Vector rest = product;
  orthogonalize(rest);
  next_length_ = rest.norm();
  const bool nothing_left = !(next_length_ > 1e-13 * product.norm());
  finished_ = nothing_left || count_ == rule_.most;
  if (!finished_ && count_ >= rule_.wanted && count_ % products_between_looks == 0) {
    finished_ = result().converged;
  }
  if (!finished_) next_ = rest / next_length_;
}

EigenPairs Cela::ritz_pairs() const {
  return eigen_symmetric<double>(projection_.topLeftCorner(count_, count_));
}

EigenPairs Cela::result() const {
  const EigenPairs small = ritz_pairs();
  const Index found = std::min(rule_.wanted, count_);
  EigenPairs top;
  top.values = small.values.head(found);
  top.vectors = basis_.leftCols(count_) * small.vectors.leftCols(found);
  top.products = count_;
  const double residual = next_length_ * small.vectors.row(count_ - 1).head(found).cwiseAbs().maxCoeff();
  top.residual = small.values(0) > 0 ? residual / small.values(0) : residual;
  top.converged = top.residual <= rule_.tol;
  return top;
}

Index capped_products(Index size, Index rank) { return std::min(size, rank + more_than_wanted); }

double numbers_sent(EigenRoute route, Index size, Index rank, Index products) {
  const auto n = static_cast<double>(size);
  const double exchange = 2 * (n + numbers_in_a_header);
  switch (route) {
    case EigenRoute::gram:
      return n * (n + 1) / 2 + 2 * numbers_in_a_header;
    case EigenRoute::cela:
      return exchange * static_cast<double>(products > 0 ? products : size);
    case EigenRoute::capped_cela:
      return exchange * static_cast<double>(capped_products(size, rank));
    case EigenRoute::cheapest:
      break;
  }
  return std::min(numbers_sent(EigenRoute::gram, size, rank),
                  numbers_sent(EigenRoute::capped_cela, size, rank));
}

EigenRoute chosen_route(EigenRoute wish, Index size, Index rank) {
  if (wish != EigenRoute::cheapest) return wish;
  const double gram = numbers_sent(EigenRoute::gram, size, rank);
  return gram <= numbers_sent(EigenRoute::capped_cela, size, rank) ? EigenRoute::gram
                                                                   : EigenRoute::capped_cela;
}

}  // namespace choir::federated_kmeans
