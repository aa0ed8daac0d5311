// A function as a node holds it: atoms, which are samples, their weights, and the kernel matrix of the atoms.
// Pure mathematics.
//
//   online_kernel::Expansion f = online_kernel::empty_expansion(features, outputs);
//   const Matrix scores = evaluate(kernel, f, batch);            // B x K
//   f.weights *= 0.6;
//   mix_in(kernel, f, view_of(neighbour), 0.4);                  // f <- 0.6 f + 0.4 neighbour
#pragma once

#include "choir/kernel/kernel.h"
#include "choir/learn/online_kernel/kernel_inverse.h"
#include "choir/linalg/types.h"

namespace choir::online_kernel {

struct PruneRule;  // komp.h

struct Expansion {
  Samples atoms;   // M x A
  Matrix weights;  // A x K
  Matrix gram;  // A x A: k(atom, atom); kept so that a step need not recompute it, and part of a checkpoint
                // so that a resumed run has the same bits
  KernelInverse inverse = {};  // of the leading rows of gram, kept for the same reasons

  Index size() const { return atoms.cols(); }
};

// The same without the kernel matrix, wherever it lies: a neighbour's comes in a message.
struct ExpansionView {
  Eigen::Map<const Matrix> atoms;    // M x A
  Eigen::Map<const Matrix> weights;  // A x K
};

Expansion empty_expansion(Index features, Index outputs);
ExpansionView view_of(const Expansion& f);  // lives as long as f

// N x K.
Matrix evaluate(const Kernel& kernel, const ExpansionView& f, const MatrixView<double>& samples);
Matrix evaluate(const Kernel& kernel, const Expansion& f, const MatrixView<double>& samples);

// The samples' own kernel matrix.
Matrix own_gram(const Kernel& kernel, const Samples& samples);

// f <- f + factor g; atoms equal in all bits are one. The order of what was there stays, new atoms follow in
// the order of g.
void mix_in(const Kernel& kernel, Expansion& f, const ExpansionView& g, double factor);

// f += sum_b coefficients_b k(x_b, .). A sample that the atoms and the samples before it explain
// (s = k(x,x) - k_D'P k_D <= 1e-6 k(x,x), P = (K_DD + jitter I)^-1) is not appended, its coefficients go to
// them by P k_D. The same for one whose approximation changes f by no more than epsilon / (2 sqrt B), or by
// less than removing any atom does where there are as many as the rule allows: KOMP would remove it at once.
// Returns the error of that.
double add(const Kernel& kernel, Expansion& f, const Samples& samples, const Matrix& coefficients,
           const PruneRule& rule);

// KOMP. Returns the error.
double compress(Expansion& f, const PruneRule& rule);

// ||f - g||_H^2, over all columns.
double squared_distance(const Kernel& kernel, const Expansion& f, const Expansion& g);

}  // namespace choir::online_kernel
