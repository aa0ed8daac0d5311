// What a state of features consists of, listed once, for those who write it down and read it.
#pragma once

#include "choir/learn/online_kernel/feature_state.h"

namespace choir {

// Calls visit(name, number) for all numbers, which may be const.
template <class Features, class Visit>
void for_each_feature_number(Features& features, Visit visit) {
  visit("warm_up", features.warm_up);
  visit("pending_samples", features.pending_samples);
  visit("solved_at", features.solved_at);
  visit("total", features.total);
  visit("unopened", features.unopened);
  visit("streams", features.streams);
  visit("met", features.met);
  visit("next", features.next);
  visit("ridge", features.ridge);
  visit("score_scale", features.score_scale);
  visit("totals", features.totals);
  visit("used", features.used);
  visit("finished", features.finished);
  visit("closed_samples", features.closed.samples);
  visit("closed_weight", features.closed.weight);
  visit("closed_squares", features.closed.squares);
  visit("block_samples", features.pending.samples);
  visit("block_weight", features.pending.weight);
  visit("block_squares", features.pending.squares);
  visit("verdict_weight", features.verdict.weight);
  visit("verdict_loss", features.verdict.loss);
  visit("verdict_constant_loss", features.verdict.constant_loss);
  if (!features.random) return;
  visit("random_count", features.random->count);
  visit("random_seed", features.random->seed);
  visit("random_orthogonal", features.random->orthogonal);
}

// Calls visit(name, matrix) for all matrices and vectors.
template <class Features, class Visit>
void for_each_feature_matrix(Features& features, Visit visit) {
  visit("landmarks", features.landmarks);
  visit("whitening", features.whitening);
  visit("closed_features", features.closed.features);
  visit("closed_targets", features.closed.targets);
  visit("closed_cross", features.closed.cross);
  visit("closed_products", features.closed.products);
  visit("block_features", features.pending.features);
  visit("block_targets", features.pending.targets);
  visit("block_cross", features.pending.cross);
  visit("block_products", features.pending.products);
  visit("uncounted", features.uncounted);
  visit("recent_samples", features.recent.samples);
  visit("recent_targets", features.recent.targets);
  visit("recent_weights", features.recent.weights);
  visit("network_class_counts", features.class_counts);
  visit("losses", features.losses);
  visit("answer", features.weights);
  visit("verdict_log_losses", features.verdict.log_losses);
  visit("verdict_seen", features.verdict.seen);
  visit("verdict_taken", features.verdict.taken);
}

}  // namespace choir
