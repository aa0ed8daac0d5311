// How long a step may be, and how much of it compression may undo. Pure mathematics.
//
// Automatic steps (eta was not given; diffusion and none) take the samples of a batch one after the other
// (sequence.h), each with the step eta_t / B: such steps are stable whatever the batch's kernel matrix is.
// Diffusion takes them after it has mixed, (I - eta H) A, where no factor is longer than 1. eta_t shrinks
// with the samples that a node has seen.
//
// A step that was given, and those of penalty and symmetric, are the paper's: the gradient of the whole
// batch, always of the same length. The consensus term of penalty and symmetric multiplies differences
// between neighbours by 1 - eta c l mu, l an eigenvalue of the graph's Laplacian, mu one of the batch's
// kernel matrix over B: stable while x = eta c lambda_max(L) mu_1 is at most 2. The gradient of a loss is
// stable while eta mu_1 curvature is at most 2 for a node alone. Diffusion takes it before it mixes, which
// makes the step A - eta H for mixing weights A: stable up to 1 + lambda_min(A), which is 1 for a complete
// graph and 2/3 for a ring.
#pragma once

#include <cstdint>
#include <limits>

#include "choir/base/types.h"
#include "choir/kernel/kernel.h"
#include "choir/learn/online_kernel/options.h"
#include "choir/linalg/types.h"

namespace choir::online_kernel {

inline constexpr double papers_step = 3;

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

// Whether eta was given, or the penalty of the paper ties it.
bool steps_as_in_the_paper(const Options& options);

// What the nodes know of themselves and of their first samples.
struct StepFacts {
  Index nodes = 1;
  Index largest_degree = 0;
  double leading_moment = 0;    // largest of any node
  double largest_diagonal = 1;  // the same: kappa
  double target_scale = 1;      // what targets are divided by
};
// eta in the first round: given; the paper's 3 for classes and 1 / (2 mu_1), at most 3, for values, with
// penalty and symmetric; otherwise B times 4 / kappa for classes and .7 min(J, 10) / kappa for values, whose
// damping allows for longer steps: diffusion averages those of J nodes.
double step_size(const Options& options, const StepFacts& facts);
// Of eta in a later round, t from 0: (1 + t B / 100)^-1/2; schedule constant stops at 1000 samples.
double step_decay(const Options& options, std::uint64_t round);

// The coefficient that a sample gets whose gradient has length 1: eta/B, damped by what the step itself
// changes.
double sample_weight(const Options& options, double eta, double largest_diagonal);
// epsilon in the first round: given (for values in units of the targets); with the paper's steps K eta^1.5 as
// in Theorem 1, K = 0.04 for classes, 0.01 for values and for symmetric, whose corrections would be removed
// again in every round otherwise; with automatic steps .3 of what one sample weighs once a neighbour has
// mixed it in: divided by 1 + d_max, at most 5, or what a single node has seen would never spread.
double prune_error(const Options& options, double eta, const StepFacts& facts);

// Of the first round's epsilon in a round whose step is eta_t: as much as a sample weighs less. 1 if epsilon
// was given.
double prune_decay(const Options& options, double eta_t, double eta, double largest_diagonal);

// eta mu_1 curvature.
double gradient_step(double eta, double leading_moment, Loss loss);

}  // namespace choir::online_kernel
