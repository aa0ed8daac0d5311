// What an answer captures of the variance of all samples, from sums over the nodes.
//
//   const ScoreMoments mine = score_moments(scores);  // N_j x D
//   captured_variance(mine);                          // D, descending: of the node's own samples
//   captured_variance(all);                           // of all samples: theirs, added up
//
// The scores are those of one answer that all nodes share: <phi(x), u_d> up to a constant that is the same at
// all nodes. What the constant is does not matter, because the mean is subtracted from the sums.
#pragma once

#include "choir/linalg/types.h"

namespace choir {

struct ScoreMoments {
  double samples = 0;
  Vector sum;      // D
  Matrix squares;  // D x D: sum s s'
};

ScoreMoments score_moments(const Matrix& scores);

// Eigenvalues of squares / N - mean mean', none below 0. Throws Error(InvalidArgument) if there are no
// samples.
Vector captured_variance(const ScoreMoments& moments);

}  // namespace choir
