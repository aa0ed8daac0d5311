// The moments of a network's streams as they are opened once under differential privacy, and the answer in
// what noise leaves of them. Pure mathematics; README.md has the equations.
//
//   const Matrix mine = released(sums);                                    // what a noisy sum adds up
//   const FeatureSums total = total_of(noisy, {.features = 500, .outputs = 10, .weight = 20000, .sigma = 3});
//   const NoisyAnswer answer = answer_from(total, 3, Weighing::balanced);
#pragma once

#include "choir/learn/online_kernel/feature_sums.h"
#include "choir/linalg/types.h"

namespace choir::online_kernel {

// How far released() of two streams can be apart that differ in one sample, if no psi is longer than 1 and no
// sample weighs more than 1: sqrt(4.5). Derived in class_moments.cpp.
inline constexpr double class_moments_sensitivity = 2.1213203435596428;

// One column: the triangle of S = sum w psi psi' with sqrt 2 times what is off the diagonal, T = sum w psi
// y', and half of t = sum w y; y is 1 at the class and 0 elsewhere. sum w psi is the sum of T's columns, and
// sum w is known without looking at samples.
Matrix released(const FeatureSums& sums);
Index released_size(Index features, Index outputs);

struct ReleasedShape {
  Index features = 0;
  Index outputs = 0;
  double weight = 0;  // sum of w over the network, public
  double sigma = 0;   // of the noise in each entry
};
// The sums behind a noisy total. Counts of classes are made positive and add up to the weight; those that
// noise hides are taken as large as they could be, so that nothing is divided by them that noise has made
// small.
FeatureSums total_of(const MatrixView<double>& noisy, const ReleasedShape& shape);

struct NoisyAnswer {
  Matrix weights;    // (m + 1) x K, the last row is the intercept
  double ridge = 0;  // decided by m and the noise alone
  Index seen = 0;    // directions that hold more than noise
};
// Directions in which noise has made S negative get no weight.
NoisyAnswer answer_from(const FeatureSums& total, double sigma, Weighing weighing);

}  // namespace choir::online_kernel
