// How an answer does on samples: what a ridge, the scale of scores and a verdict are chosen by. Sums over
// samples, so those of all nodes add up. Pure mathematics.
//
//   Examination mine = examine(scores, {.targets = targets, .weights = weights}, family.constant);
//   const Examination all = Examination::of(row_that_a_masked_sum_returned, outputs);
//   const double scale = best_score_scale(all.log_losses);
#pragma once

#include "choir/linalg/types.h"

namespace choir::online_kernel {

// Samples as an answer is asked about them.
struct Questions {
  Matrix targets;  // N x K: 1 at the class, 0 elsewhere; or values
  Vector weights;  // N
};

struct Examination {
  double weight = 0;         // sum of w
  double loss = 0;           // sum of w |y - f|^2
  double constant_loss = 0;  // the same for the best constant
  Vector log_losses;         // one for each scale of the scores: sum of w times -log of the class's chance
  Vector seen;               // K: samples of each class; this and the next are zeros for values
  Vector taken;              // K: samples taken for each class

  static Examination none(Index outputs);
  // As one row of numbers, and back.
  Matrix row() const;
  static Examination of(const MatrixView<double>& row);
};

// scores: N x K. With K = 1 these are values.
Examination examine(const Matrix& scores, const Questions& questions, const Vector& constant);

// Chances of classes are the softmax of the scores times a scale: 1, 1.41, 2, ... 128.
Vector score_scales();
double best_score_scale(const Vector& log_losses);

}  // namespace choir::online_kernel
