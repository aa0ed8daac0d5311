// Test, then train: every sample is predicted before it is learned from. What that gives over a stream is
// how streams are judged, and it costs nothing.
//
//   online_kernel::Progressive seen;
//   seen.judge({.scores = Matrix::Zero(2, 3), .targets = Vector::Zero(2), .loss = 1.1}, true);
//   seen.accuracy();
#pragma once

#include "choir/linalg/types.h"

namespace choir::online_kernel {

// A batch that was predicted: B x K scores, B targets (places in the classes, or values in deviations).
struct Judged {
  const Matrix& scores;
  const Vector& targets;
  double loss = 0;          // mean over the batch
  double target_scale = 1;  // of values
};

// Sums over the samples of a node that were predicted by a function that had learned something.
struct Progressive {
  double samples = 0;
  double loss = 0;
  double mistakes = 0;    // classes
  double squares = 0;     // of errors, values only, in the targets' units
  double deviations = 0;  // squares of the targets about their centre: errors of the constant answer
  double recent = 0;      // loss, over about the last 20 batches
  // K x 3: how often a class came, was predicted, was predicted rightly, in about the last 50 batches: what a
  // function that has learned long since predicted does not count.
  Matrix classes = {};

  void judge(const Judged& batch, bool classification);

  double mean_loss() const { return samples > 0 ? loss / samples : 0; }
  double accuracy() const;  // classes
  double rmse() const;      // values

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(samples, loss, mistakes, squares, deviations, recent, classes);
  }
};

// Of several nodes together; `recent` is their mean, weighted by samples.
Progressive sum_of(const Progressive& a, const Progressive& b);

// Mean over the classes that came of the share that was predicted rightly; `classes`: K x 3, as above.
double balanced_accuracy(const Matrix& classes);

}  // namespace choir::online_kernel
