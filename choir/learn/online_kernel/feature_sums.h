// What a node keeps of its stream in place of samples: weighted second moments of features and targets. They
// add up over nodes, whoever has seen which sample. Pure mathematics.
//
//   auto mine = online_kernel::FeatureSums::none(500, 10);
//   mine.learn(psi, targets, weights);                        // psi: m x B, targets: B x K
//   mine.forget(0.9);
//   const Matrix row = mine.packed({0, 1, 2});                // what a masked sum adds up
#pragma once

#include <vector>

#include "choir/linalg/types.h"

namespace choir::online_kernel {

struct FeatureSums {
  double samples = 0;  // learned from; each counts for what forgetting has left of it
  double weight = 0;   // sum of the weights w
  double squares = 0;  // sum of w |y|^2
  Vector features;     // m: sum of w psi
  Vector targets;      // K: sum of w y
  Matrix cross;        // m x K: sum of w psi y'
  Matrix products;     // m x m: sum of w psi psi'; only the lower triangle means anything

  static FeatureSums none(Index features, Index outputs);
  Index size() const { return features.size(); }    // m
  Index outputs() const { return targets.size(); }  // K

  // psi: m x B, y: B x K, weights: B. One product of matrices.
  void learn(const Matrix& psi, const Matrix& y, const Vector& weights);
  void forget(double factor);
  FeatureSums& operator+=(const FeatureSums& other);

  // The sums of some features as one row of packed_size() numbers, and back.
  Matrix packed(const std::vector<Index>& chosen) const;
  static FeatureSums unpacked(const MatrixView<double>& row, Index features, Index outputs);
};

// Classes may weigh more or less than they should, where they came one after the other and their shares were
// not known yet. K factors that make them weigh the same; 1 where there is no such class.
Vector balancing_factors(const FeatureSums& sums);
// The sums with classes weighed by these factors: exact in the classes' means; products about the means stay
// as they are, as if they were the same for all classes.
FeatureSums rebalanced(FeatureSums sums, const Vector& factors);

enum class Weighing { balanced, as_they_came };
FeatureSums weighed(const FeatureSums& sums, Weighing weighing);

// 3 + m + K + m K + m (m + 1) / 2
Index packed_size(Index features, Index outputs);

}  // namespace choir::online_kernel
