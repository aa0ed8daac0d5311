#include "choir/learn/consensus_kpca/penalty.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "choir/base/error.h"

namespace choir::consensus_kpca {
namespace {

// Section 6 of the paper: rho1 of a node itself, rho2 of its neighbours.
constexpr double printed_self = 100;
constexpr std::array<double, 3> printed_others = {10, 50, 100};
constexpr Index printed_iterations = 4;  // of each

}  // namespace

double assumption_2_bound(const Vector& eigenvalues, Index neighborhood) {
  if (eigenvalues.size() == 0) return 0;
  const double first = eigenvalues(0);
  const double cubes = eigenvalues.array().cube().sum();
  const auto o = static_cast<double>(neighborhood);
  return (std::sqrt(std::pow(first, 4) + 8 * o * first * cubes) + first * first) / (o * first);
}

PenaltyRule::PenaltyRule(const Penalty& penalty, double agreed) : penalty_(penalty) {
  if (penalty_.rule == Penalty::Rule::automatic) penalty_.value = agreed;
}

Rho PenaltyRule::at(Index t) const {
  if (penalty_.rule != Penalty::Rule::schedule) return {penalty_.value, penalty_.value};
  const auto step = std::min(static_cast<std::size_t>(t / printed_iterations), printed_others.size() - 1);
  return {printed_self, printed_others[step]};
}

double PenaltyRule::smallest_sum(Index neighbors) const { return at(0).sum(neighbors); }

void require_convex(const PenaltyRule& rule, const Vector& eigenvalues, Index neighbors, NodeId node) {
  if (eigenvalues.size() == 0) return;
  const double bound = 2 * eigenvalues(0);
  const double sum = rule.smallest_sum(neighbors);
  if (sum > bound) return;
  fail(ErrorCategory::InvalidArgument,
       "rho is too small at node {}: its penalties sum to {:.6g} and must exceed {:.6g}, twice the largest "
       "eigenvalue of its kernel matrix; raise rho above {:.6g} or say auto",
       node, sum, bound, bound / static_cast<double>(neighbors + 1));
}

}  // namespace choir::consensus_kpca
