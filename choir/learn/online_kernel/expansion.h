// A function as a node holds it: atoms, which are samples, their weights, and the kernel matrix of the atoms.
// Pure mathematics.
//
//   Expansion f = empty_expansion(features, outputs);
//   const Matrix scores = evaluate(kernel, f, batch);           // B x K
//   f = combine(kernel, {{&f, 0.6}, {&neighbour, 0.4}});
//   add(kernel, f, batch, -eta / 32 * gradient);
//   compress(f, rule);
#pragma once

#include <vector>

#include "choir/kernel/kernel.h"
#include "choir/learn/online_kernel/komp.h"
#include "choir/linalg/types.h"

namespace choir {

struct Expansion {
  Samples atoms;   // M x A
  Matrix weights;  // A x K
  Matrix gram;  // A x A: k(atom, atom); kept so that a step need not recompute it, and part of a checkpoint
                // so that a resumed run has the same bits

  Index size() const { return atoms.cols(); }
};

Expansion empty_expansion(Index features, Index outputs);

// N x K.
Matrix evaluate(const Kernel& kernel, const Expansion& f, const Samples& samples);

struct Share {
  const Samples* atoms = nullptr;
  const Matrix* weights = nullptr;
  double factor = 1;
};
// f <- factor f + sum of the shares; atoms equal in all bits are one. The order of what was there stays, new
// atoms follow in the order of the shares.
void mix(const Kernel& kernel, Expansion& f, double factor, const std::vector<Share>& shares);

// f += sum_b coefficients_b k(x_b, .). A sample that the atoms explain (s = k(x,x) - k_D'P k_D < 1e-6) is not
// appended, its coefficient goes to them.
void add(const Kernel& kernel, Expansion& f, const Samples& samples, const Matrix& coefficients);

// KOMP. Returns the error.
double compress(Expansion& f, const PruneRule& rule);

// ||f - g||_H^2, over all columns.
double squared_distance(const Kernel& kernel, const Expansion& f, const Expansion& g);

}  // namespace choir
