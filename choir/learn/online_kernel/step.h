// How long a step may be. Pure mathematics.
//
// The consensus term of penalty and symmetric multiplies differences between neighbours by 1 - eta c l mu, l
// an eigenvalue of the graph's Laplacian, mu one of the batch's kernel matrix over B: stable while x = eta c
// lambda_max(L) mu_1 is at most 2. The gradient of a loss is stable while eta mu_1 curvature is at most 2 for
// a node alone. Diffusion takes it before it mixes, which makes the step A - eta H for mixing weights A:
// stable up to 1 + lambda_min(A), which is 1 for a complete graph and 2/3 for a ring.
#pragma once

#include <cstdint>
#include <limits>

#include "choir/base/types.h"
#include "choir/kernel/kernel.h"
#include "choir/learn/online_kernel/options.h"
#include "choir/linalg/types.h"

namespace choir::online_kernel {

inline constexpr double longest_default_step = 3;

// Of eta mu_1 curvature: 1 for diffusion, 2 otherwise.
double stable_up_to(Consensus consensus);

// lambda_max(K_batch) / B; 0 of an empty batch.
double leading_moment(const Kernel& kernel, const Samples& batch);
// max k(x,x); 0 of an empty batch.
double largest_diagonal(const Kernel& kernel, const Samples& batch);

// x with 2 d_max, which is never less than lambda_max(L).
double consensus_step(double eta, double penalty, Index largest_degree, double leading_moment);
// 1 / (2 eta d_max kappa_max): x is then at most 1, since mu_1 <= kappa_max.
double penalty_cap(double eta, Index largest_degree, double largest_diagonal);
// c: doubled every so many samples, up to the cap.
double penalty_after(std::uint64_t samples, const Options& options, double cap);

// eta: given; 3 for logistic and hinge, as in the paper; for squared and huber 1 / (2 mu_1), at most 3.
double step_size(const Options& options, double leading_moment);
// epsilon: given, or K eta^1.5 as in Theorem 1, with the paper's K = 0.04 for classes. Values get K = 0.01:
// their gradients are residuals, which become small, where those of classes are differences of probabilities.
// So does symmetric: its corrections of classes that a node does not see are smaller than 0.04 eta^1.5 each,
// and would be removed again, every round anew.
double prune_error(const Options& options, double eta);

// eta mu_1 curvature.
double gradient_step(double eta, double leading_moment, Loss loss);

}  // namespace choir::online_kernel
