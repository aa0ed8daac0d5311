// How many features may be summed: whoever reads sum psi psi' of too few samples solves it for them.
// README.md beside this has the experiment that these rules come from.
//
//   const Index most = safe_total(samples, inputs, wanted);           // 0: no total of these samples is safe
//   const Index mine = features_without_lone_samples(psi, squares, leverage_limit(inputs));
#pragma once

#include "choir/linalg/types.h"

namespace choir {

// The largest m <= wanted with 4 m <= N, and with m (m + 1) / 2 + m numbers in all for N M / 4 unknown ones
// at most. samples: N, of the whole network; inputs: M, that a sample consists of.
Index safe_total(Index samples, Index inputs, Index wanted);

// How much of a direction in features a single sample may be: psi'S^-1 psi, 1 if nobody else is in it. A
// sample of few inputs is known from few numbers.
double leverage_limit(Index inputs);

// How many of the leading features may be summed so that none of these samples stands nearly alone, which
// `squares`, the sums of psi_a^2 over all samples of the network, tell before psi psi' is summed: the
// leverage of a sample is near sum_a psi_a^2 / squares_a where features are nearly uncorrelated. psi: m x
// N_j.
Index features_without_lone_samples(const MatrixView<double>& psi, const Vector& squares, double limit);

}  // namespace choir
