#include "choir/learn/online_kernel/komp.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace choir::online_kernel {
namespace {

constexpr Index block = 48;  // removals until P is brought up to date

// Removes atoms one after the other. Those that went since P was last brought up to date keep their places,
// with weight 0, until then.
class Elimination {
 public:
  Elimination(const KernelInverse& inverse, const Vector& diagonal, const Matrix& weights);

  Index left() const { return static_cast<Index>(atoms_.size() - gone_.size()); }
  // The atom whose removal adds least to the squared error, and what it adds.
  double cheapest(Index& place);
  void remove(Index place);
  Pursuit finish(double squared_error) &&;

 private:
  Vector column(Index place) const;
  void settle();

  std::vector<Index> atoms_;  // as the caller numbers them
  std::vector<Index> gone_;   // places, since P was last brought up to date
  Matrix inverse_;            // P without the latest removals, lower triangle
  Matrix removals_;           // M x block: P minus these columns times their transposes is up to date
  Matrix weights_;
  Vector diagonal_;  // of P, up to date
  Vector least_;     // 1 / (K_jj + jitter), which P_jj never falls below but by rounding
  Vector cost_;
};

Elimination::Elimination(const KernelInverse& inverse, const Vector& diagonal, const Matrix& weights)
    : atoms_(static_cast<std::size_t>(weights.rows())),
      inverse_(inverse.values),
      removals_(weights.rows(), block),
      weights_(weights),
      diagonal_(inverse_.diagonal()),
      least_((diagonal.array() + inverse.jitter).inverse()) {
  std::iota(atoms_.begin(), atoms_.end(), Index{0});
}

double Elimination::cheapest(Index& place) {
  cost_ = weights_.col(0).cwiseAbs2();
  for (Index k = 1; k < weights_.cols(); ++k) cost_ += weights_.col(k).cwiseAbs2();
  cost_.array() /= diagonal_.array();
  for (const Index gone : gone_) cost_(gone) = std::numeric_limits<double>::infinity();
  return cost_.minCoeff(&place);
}

// P_:j, up to date.
Vector Elimination::column(Index place) const {
  const Index size = inverse_.rows();
  const auto pending = static_cast<Index>(gone_.size());
  Vector result(size);
  result.head(place) = inverse_.row(place).head(place).transpose();
  result.tail(size - place) = inverse_.col(place).tail(size - place);
  result.noalias() -= removals_.leftCols(pending) * removals_.row(place).head(pending).transpose();
  for (const Index gone : gone_) result(gone) = 0;
  return result;
}

void Elimination::remove(Index place) {
  const Vector p = column(place);
  const double pivot = diagonal_(place);
  const Vector row = weights_.row(place).transpose() / pivot;
  for (Index k = 0; k < weights_.cols(); ++k) weights_.col(k) -= row(k) * p;
  weights_.row(place).setZero();
  auto removal = removals_.col(static_cast<Index>(gone_.size()));
  removal = p / std::sqrt(pivot);
  diagonal_ = (diagonal_ - removal.cwiseAbs2()).cwiseMax(least_);
  gone_.push_back(place);
  if (static_cast<Index>(gone_.size()) == block) settle();
}

void Elimination::settle() {
  if (gone_.empty()) return;
  std::vector<Index> stay;
  std::sort(gone_.begin(), gone_.end());
  auto next_gone = gone_.begin();
  for (Index place = 0; place < inverse_.rows(); ++place) {
    if (next_gone != gone_.end() && *next_gone == place) {
      ++next_gone;
    } else {
      stay.push_back(place);
    }
  }
  const auto count = static_cast<Index>(stay.size());
  Matrix inverse(count, count);
  for (Index j = 0; j < count; ++j) {
    const auto from = inverse_.col(stay[static_cast<std::size_t>(j)]);
    for (Index i = j; i < count; ++i) inverse(i, j) = from(stay[static_cast<std::size_t>(i)]);
  }
  const Matrix removals = removals_(stay, Eigen::seqN(0, static_cast<Index>(gone_.size())));
  if (count > 0) inverse.selfadjointView<Eigen::Lower>().rankUpdate(removals, -1);
  inverse_.swap(inverse);
  removals_.resize(count, block);
  weights_ = weights_(stay, Eigen::all).eval();
  diagonal_ = diagonal_(stay).eval();
  least_ = least_(stay).eval();
  for (std::size_t i = 0; i < stay.size(); ++i) atoms_[i] = atoms_[static_cast<std::size_t>(stay[i])];
  atoms_.resize(stay.size());
  gone_.clear();
}

Pursuit Elimination::finish(double squared_error) && {
  settle();
  return {.atoms = std::move(atoms_),
          .weights = std::move(weights_),
          .inverse = inverse_.selfadjointView<Eigen::Lower>(),
          .error = std::sqrt(squared_error)};
}

}  // namespace

Vector removal_costs(const KernelInverse& inverse, const Matrix& weights) {
  return weights.rowwise().squaredNorm().cwiseQuotient(inverse.values.diagonal());
}

Pursuit prune(const Matrix& gram, const Matrix& weights, const PruneRule& rule) {
  return prune(inverse_of(gram, rule.jitter), gram.diagonal(), weights, rule);
}

Pursuit prune(const KernelInverse& inverse, const Vector& diagonal, const Matrix& weights,
              const PruneRule& rule) {
  if (weights.rows() == 0) return {.atoms = {}, .weights = weights, .inverse = Matrix(0, 0)};
  Elimination elimination(inverse, diagonal, weights);
  const Index most = weights.rows() > rule.most ? rule.most - rule.spare : rule.most;
  double squared_error = 0;
  while (elimination.left() > 0) {
    Index place = 0;
    const double added = elimination.cheapest(place);
    const bool too_much = squared_error + added > rule.epsilon * rule.epsilon;
    if (too_much && elimination.left() <= most) break;
    elimination.remove(place);
    squared_error += added;
  }
  return std::move(elimination).finish(squared_error);
}

}  // namespace choir::online_kernel
