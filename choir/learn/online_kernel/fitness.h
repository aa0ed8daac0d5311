// Whether a stream still looks as it did when its features were agreed on. Scales, gamma and landmarks come
// from the first samples; samples that are far from these, or much closer to each other than they were, all
// have nearly the same features. Pure rules.
//
//   online_kernel::FitSums mine;  // of a node, over a block
//   mine.add(fitness.scene, samples, psi);
//   fitness.close_block(total_of_all_nodes);
//   const bool fits = fitness.strange_blocks < online_kernel::enough_strange_blocks;
#pragma once

#include "choir/base/types.h"
#include "choir/linalg/types.h"

namespace choir::online_kernel {

// Where the samples were that the features were agreed on from, after preprocessing.
struct Scene {
  Vector centre;      // M
  double spread = 1;  // mean squared distance from it
};

// Sums over samples, so those of nodes add up.
struct FitSums {
  double samples = 0;
  double pairs = 0;      // of samples that came one after the other
  double distances = 0;  // log of the squared distance from the centre, in spreads: one outlier is one sample
  double steps = 0;      // the same of the distance from the sample before it
  double lengths = 0;    // |psi|^2, 1 where landmarks are close

  // samples: M x N of one batch, after preprocessing; psi: m x N.
  void add(const Scene& scene, const Samples& samples, const Matrix& psi);
  Matrix row() const;  // 1 x fit_numbers
  static FitSums of(const MatrixView<double>& row);
};
inline constexpr Index fit_numbers = 5;

// One strange block may be an accident, and begins somewhere in it.
inline constexpr Index enough_strange_blocks = 2;

struct Fitness {
  Scene scene;
  FitSums usual;             // of the first block; without samples: there was none yet
  Index strange_blocks = 0;  // one after the other, up to the last one

  // Twice or half the usual distance from the centre or from each other, or half the usual length: a strange
  // block.
  void close_block(const FitSums& block);
};

}  // namespace choir::online_kernel
