// What a state of features consists of, listed once, for those who write it down and read it.
#pragma once

#include <string>

#include "choir/learn/online_kernel/feature_state.h"

namespace choir {

template <class Sums, class Visit>
void for_each_number_of_sums(const std::string& name, Sums& sums, Visit visit) {
  visit(name + "_samples", sums.samples);
  visit(name + "_weight", sums.weight);
  visit(name + "_squares", sums.squares);
}

template <class Sums, class Visit>
void for_each_matrix_of_sums(const std::string& name, Sums& sums, Visit visit) {
  visit(name + "_features", sums.features);
  visit(name + "_targets", sums.targets);
  visit(name + "_cross", sums.cross);
  visit(name + "_products", sums.products);
}

// Calls visit(name, sums) for the moments of a set.
template <class Set, class Visit>
void for_each_sums(Set& set, Visit visit) {
  visit("closed", set.closed);
  visit("block", set.pending);
  for (std::size_t i = 0; i < set.memories.sums.size(); ++i)
    visit("memory_" + std::to_string(i), set.memories.sums[i]);
}

template <class Set, class Visit>
void for_each_number_of_set(Set& set, Visit visit) {
  visit("pending_samples", set.pending_samples);
  visit("own_samples", set.own_samples);
  visit("total", set.total);
  visit("unopened", set.unopened);
  visit("ridge", set.ridge);
  visit("half_life", set.half_life);
  visit("score_scale", set.score_scale);
  visit("used", set.used);
  visit("memory_asked", set.memories.asked);
  visit("verdict_weight", set.verdict.weight);
  visit("verdict_loss", set.verdict.loss);
  visit("verdict_constant_loss", set.verdict.constant_loss);
  for_each_sums(set,
                [&](const std::string& name, auto& sums) { for_each_number_of_sums(name, sums, visit); });
  if (!set.random) return;
  visit("random_count", set.random->count);
  visit("random_seed", set.random->seed);
  visit("random_orthogonal", set.random->orthogonal);
}

template <class Set, class Visit>
void for_each_matrix_of_set(Set& set, Visit visit) {
  visit("landmarks", set.landmarks);
  visit("whitening", set.whitening);
  visit("memory_half_lives", set.memories.half_lives);
  visit("memory_losses", set.memories.losses);
  visit("losses", set.losses);
  visit("answer", set.weights);
  visit("verdict_log_losses", set.verdict.log_losses);
  visit("verdict_seen", set.verdict.seen);
  visit("verdict_taken", set.verdict.taken);
  for_each_sums(set,
                [&](const std::string& name, auto& sums) { for_each_matrix_of_sums(name, sums, visit); });
}

template <class Visit>
auto of_rival(Visit visit) {
  return [visit](const std::string& name, auto& value) { visit("rival_" + name, value); };
}
template <class Visit>
auto of_quick(Visit visit) {
  return [visit](const std::string& name, auto& value) { visit("quick_" + name, value); };
}

template <class Contest, class Visit>
void for_each_number_of_contest(const std::string& name, Contest& contest, Visit visit) {
  visit(name + "_weight", contest.weight);
  visit(name + "_quick_loss", contest.quick_loss);
  visit(name + "_usual_loss", contest.usual_loss);
}

template <class Quick, class Visit>
void for_each_number_of_quick(Quick& quick, Visit visit) {
  visit("leads", quick.leads);
  for_each_number_of_contest("asked", quick.asked, visit);
  for_each_number_of_contest("contest", quick.contest, visit);
  for_each_number_of_set(quick, visit);
}

template <class Fit, class Visit>
void for_each_number_of_fit(const std::string& name, Fit& fit, Visit visit) {
  visit(name + "_samples", fit.samples);
  visit(name + "_pairs", fit.pairs);
  visit(name + "_distances", fit.distances);
  visit(name + "_steps", fit.steps);
  visit(name + "_lengths", fit.lengths);
}

// Calls visit(name, number) for all numbers, which may be const.
template <class Features, class Visit>
void for_each_feature_number(Features& features, Visit visit) {
  visit("warm_up", features.warm_up);
  visit("solved_at", features.solved_at);
  for_each_number_of_fit("fit", features.fit, visit);
  for_each_number_of_fit("usual", features.fitness.usual, visit);
  visit("strange_blocks", features.fitness.strange_blocks);
  visit("scene_spread", features.fitness.scene.spread);
  visit("streams", features.streams);
  visit("met", features.met);
  visit("next", features.next);
  visit("totals", features.totals);
  visit("renewals", features.renewals);
  visit("finished", features.finished);
  for_each_number_of_set(features, visit);
  if (features.quick) for_each_number_of_quick(*features.quick, of_quick(visit));
  if (!features.rival) return;
  visit("rival_divide", features.rival->preprocessing.divide);
  visit("rival_scene_spread", features.rival->scene.spread);
  visit("rival_asked", features.rival->asked);
  visit("rival_loss", features.rival->loss);
  visit("rival_incumbent_loss", features.rival->incumbent_loss);
  for_each_number_of_set(*features.rival, of_rival(visit));
}

// Calls visit(name, matrix) for all matrices and vectors.
template <class Features, class Visit>
void for_each_feature_matrix(Features& features, Visit visit) {
  visit("scene_centre", features.fitness.scene.centre);
  visit("uncounted", features.uncounted);
  visit("recent_samples", features.recent.samples);
  visit("recent_targets", features.recent.targets);
  visit("recent_weights", features.recent.weights);
  visit("network_class_counts", features.class_counts);
  for_each_matrix_of_set(features, visit);
  if (features.quick) for_each_matrix_of_set(*features.quick, of_quick(visit));
  if (!features.rival) return;
  visit("rival_scene_centre", features.rival->scene.centre);
  visit("rival_mean", features.rival->preprocessing.mean);
  visit("rival_scale", features.rival->preprocessing.scale);
  for_each_matrix_of_set(*features.rival, of_rival(visit));
}

}  // namespace choir
