// A batch, one sample after the other: each gradient is taken where the samples before it have left the
// function, and damped by what its own step changes. Such a step never overshoots, however long it is.
//
//   c_b = -s l'(f(x_b) + sum_{a<b} k(x_a, x_b) c_a) / (1 + s h k(x_b, x_b)),  s = eta / B
//
// For the squared loss (h = 1) this is the implicit step: the residual after it is r / (1 + s k(x_b, x_b)).
#pragma once

#include "choir/learn/online_kernel/options.h"
#include "choir/linalg/types.h"

namespace choir::online_kernel {

// s / (1 + s h kappa).
double damped(double step, Loss loss, double kappa);

// `scores`: B x K, f at the batch (with the log of the classes' shares, if those count); `corner`: B x B,
// the batch's kernel matrix; `targets`: B. Returns B x K: what the samples are added with.
Matrix descent_in_sequence(const Options& options, Matrix scores, const Matrix& corner, const Vector& targets,
                           double step);

}  // namespace choir::online_kernel
