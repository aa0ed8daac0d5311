// One node's side of the iteration: the steps between two exchanges, without any network.
//
//   ProjectionConsensus state(basis, kernel, columns);
//   state.begin_with(c);                        // z_j = Phi_Omega c
//   for (...) {
//     d = state.correction(l, rho);             // A: to member l, who adds it to its z
//     state.add(l, d_from_l, share);            //    from member l, to this node's z
//     y = state.project();                      // B: Phi_Omega' z_j; rows of member l go to l
//     state.set_projection(l, y_from_l);        //    P_j z_l
//     change = state.solve(rho, alive);         // C: b_j, then the multipliers
//   }
//
// Members are those of Omega_j: 0 is the node itself, then its neighbours in their order. All arrays have
// D + g columns. Letters as in README.md: b_j coordinates of w_j, p_jl of P_j z_l, h_jl multipliers.
#pragma once

#include <vector>

#include "choir/learn/consensus_kpca/neighborhood_kernel.h"
#include "choir/learn/consensus_kpca/options.h"
#include "choir/learn/consensus_kpca/penalty.h"
#include "choir/linalg/pseudo_inverse.h"
#include "choir/linalg/types.h"

namespace choir::consensus_kpca {

class ProjectionConsensus {
 public:
  ProjectionConsensus(PseudoInverseBasis basis, NeighborhoodKernel kernel, Index columns);

  Index members() const { return kernel_.members(); }
  Index columns() const { return b_.cols(); }
  const NeighborhoodKernel& kernel() const { return kernel_; }
  const PseudoInverseBasis& basis() const { return basis_; }

  // Two ways to begin: z_j and its projection on the own span, or w_j alone.
  void begin_with_coefficients(Matrix c);
  void begin_with_coordinates(Matrix b) { b_ = std::move(b); }

  // A, the sender's half. unbiased: lift(b_j + h_jl / rho_jl - p_jl); paper (eq. 10): without p_jl.
  Matrix correction(Index member, const Rho& rho, ZStep z_step) const;
  // A, the receiver's half: c_j[l] += share * d. The paper's z, and the first of any start but gather, is
  // made of corrections alone: forget() first.
  void forget() { c_.setZero(); }
  void add(Index member, const Eigen::Ref<const Matrix>& correction, double share);

  // B: y = G_j c_j with z_j scaled into the unit ball (one column, eq. 11) or to orthonormal columns.
  const Matrix& project();
  void set_projection(Index member, const Eigen::Ref<const Matrix>& y);

  // C, eqs. 12 and 13, over the members that are alive; `rho` is without the lost ones. Returns how far each
  // column's direction moved.
  Vector solve(const Rho& rho, const std::vector<bool>& alive);

  // max over members of ||p_jl - p_jj|| / ||p_jj||, for each column and over all of them.
  Vector gaps(const std::vector<bool>& alive) const;
  double gap(const std::vector<bool>& alive) const;

  void rotate(const Matrix& turn);  // every column array from the right; may drop columns
  Vector unit_scales() const;       // what z_j's columns are to be multiplied by
  void normalise();                 // z_j of unit length, which the ball alone does not promise

  const Matrix& b() const { return b_; }  // r x columns
  const Matrix& c() const { return c_; }  // samples of the neighbourhood x columns
  const Matrix& y() const { return y_; }  // the last project()

 private:
  auto of(Matrix& stacked, Index member) const { return stacked.middleCols(member * columns(), columns()); }
  auto of(const Matrix& stacked, Index member) const {
    return stacked.middleCols(member * columns(), columns());
  }

  PseudoInverseBasis basis_;
  NeighborhoodKernel kernel_;
  Matrix b_;
  Matrix c_;
  Matrix y_;
  Matrix p_;  // r x (members * columns), member after member
  Matrix h_;
};

// What c (n x columns) is multiplied by from the right for orthonormal directions Phi c, or as near as can
// be: `gram` is c' G c, and a direction in which it is no more than rounding * ||c u||^2 stays short. Scaled
// to unit length it would be noise with coefficients that grow from step to step: G has no more directions
// than its samples differ.
Matrix orthonormalising(const Matrix& c, const Matrix& gram, double rounding);

// How far each column of b moved to be a, relative to its own length and whatever happened to the scale of
// the block: a weak component cannot hide behind a strong one.
Vector moved_directions(const Matrix& a, const Matrix& b);

// Rotates or flips `own` (any rows x columns) so that it comes closest to `reference`: the matrix to multiply
// by from the right. One column: its sign.
Matrix alignment(const Matrix& own, const Matrix& reference);

}  // namespace choir::consensus_kpca
