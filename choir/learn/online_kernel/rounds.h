// One round of a node, up to compression: what it sees, what it exchanges, the step. One function for each
// form of consensus.
#pragma once

#include <vector>

#include "choir/learn/online_kernel/batches.h"
#include "choir/learn/online_kernel/common_atoms.h"
#include "choir/learn/online_kernel/komp.h"
#include "choir/learn/online_kernel/online_kernel.h"
#include "choir/runtime/blocks/metropolis_mix.h"
#include "choir/runtime/blocks/stop.h"

namespace choir::online_kernel {

// Neighbours' dictionaries are mostly the node's own. Where they are not, atoms are dropped before the last
// one is mixed in, so that memory and time do not grow with the number of neighbours. Times max_atoms.
inline constexpr Index most_while_mixing = 3;
inline constexpr Index kept_while_mixing = 2;

// What all rounds of a node share.
struct Setting {
  Node& node;
  const Options& options;
  MetropolisMix mix;
  StopAgreement stop;
  CommonAtoms common;                // diffusion
  std::uint64_t counted_rounds = 0;  // the first ones, whose classes the nodes counted before they began
};

// A round at work: the batch, f_i on it before the step, and what was seen.
struct Turn {
  StreamBatch batch;
  Matrix scores;        // B x K: f_i(x_b)
  Vector class_counts;  // K: of the batch; 0 where they are counted already
  Vector offsets;       // K: log K pi_k, this batch counted (class_balance.h)
  double eta = 0;       // eta_t
  double screened = 0;  // error of the samples of the step that did not become atoms
  Round report;
  std::vector<StopWords> heard;
};

// Judges the batch by f_i, which the state's progressive figures keep.
Turn observe(const Setting& setting, StreamBatch batch, State& state);

// How f_i is compressed in this round, once it is known who still learns.
PruneRule prune_rule(const Turn& round, const State& state, const Options& options);
// Once at the end, of what the last rounds mixed without learning.
PruneRule final_rule(const State& state, const Options& options);

// f_i <- (1 - eta lambda) sum_j a_ij f_j - (eta/B) sum_b l'_b k(x_b, .), the gradient taken before mixing.
Task<void> diffuse(Setting& setting, State& state, Turn& round);
// Algorithm 1 of the paper; with consensus symmetric also the other half of the gradient.
Task<void> penalize(Setting& setting, State& state, Turn& round);
// f_i <- (1 - eta lambda) f_i - (eta/B) sum_b l'_b k(x_b, .)
Task<void> learn_alone(Setting& setting, State& state, Turn& round);

}  // namespace choir::online_kernel
