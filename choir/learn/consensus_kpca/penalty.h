// The penalties rho_jl that hold w_j and P_j z_l together.
//
//   const PenaltyRule rule(options.rho, agreed_bound);
//   const Rho rho = rule.at(t);
#pragma once

#include "choir/learn/consensus_kpca/options.h"
#include "choir/linalg/types.h"

namespace choir::consensus_kpca {

// Of one iteration: for the node itself and for each of its neighbours.
struct Rho {
  double self = 0;
  double other = 0;

  double of(Index member) const { return member == 0 ? self : other; }  // member 0 is the node itself
  double sum(Index neighbors) const { return self + static_cast<double>(neighbors) * other; }
  // A lost neighbour's share goes to the node itself: the sum, which keeps the problem convex, stays.
  Rho without(Index lost) const { return {self + static_cast<double>(lost) * other, other}; }
};

// Assumption 2: (sqrt(L1^4 + 8 o L1 sum L^3) + L1^2) / (o L1), from the eigenvalues of K_j, descending, and
// o_j = |Omega_j|, the node itself included. 0 if there are no eigenvalues.
double assumption_2_bound(const Vector& eigenvalues, Index neighborhood);

class PenaltyRule {
 public:
  // `agreed`: the largest assumption_2_bound of all nodes; what Penalty::Rule::automatic stands for.
  PenaltyRule(const Penalty& penalty, double agreed);
  Rho at(Index t) const;
  // sum_l rho_jl of the iteration in which it is smallest.
  double smallest_sum(Index neighbors) const;

 private:
  Penalty penalty_;
};

// Throws Error(InvalidArgument) naming node and bound unless sum_l rho_jl > 2 L1: eq. 12 would divide by zero
// or turn around.
void require_convex(const PenaltyRule& rule, const Vector& eigenvalues, Index neighbors, NodeId node);

}  // namespace choir::consensus_kpca
