#include "choir/learn/online_kernel/meeting.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "choir/learn/online_kernel/openings.h"
#include "choir/learn/online_kernel/quick.h"
#include "choir/learn/online_kernel/rivals.h"
#include "choir/learn/online_kernel/start.h"

namespace choir::online_kernel {

// What the nodes have seen since they last met. In a coroutine's frame, so not in the unnamed namespace: g++
// objects.
struct Headcount {
  double pending = 0;        // samples of the block at work
  double quick_pending = 0;  // of that of the leading features
  Index ended = 0;           // streams
  FitSums fit;               // of the block at work
  Contest asked;             // since they last met
  bool all_classes = true;   // since then there were samples of every class seen before
};

namespace {

constexpr Index fewest_recent = 256;
constexpr Index quick_numbers = 4;

Matrix row_of(const QuickSet& quick) {
  Matrix row(1, quick_numbers);
  row << quick.pending.samples, quick.asked.weight, quick.asked.quick_loss, quick.asked.usual_loss;
  return row;
}

// Also of the classes, on which the weights of the next samples depend.
Task<Headcount> count_together(Gathering& gathering, State& state) {
  FeatureState& features = *state.features;
  const Index classes = features.class_counts.size();
  Matrix mine = Matrix::Zero(1, 2 + fit_numbers + quick_numbers + classes);
  mine(0, 0) = features.pending.samples;
  mine(0, 1) = state.ended ? 1 : 0;
  mine.middleCols(2, fit_numbers) = features.fit.row();
  if (features.quick) mine.middleCols(2 + fit_numbers, quick_numbers) = row_of(*features.quick);
  if (classes > 0) mine.rightCols(classes) = features.uncounted.transpose();
  const Matrix all = co_await secure_sum(gathering.node, gathering.sums, std::move(mine));
  const Vector fresh = all.rightCols(classes).transpose();
  const bool all_classes = !((features.class_counts.array() > 0) && (fresh.array() <= 0)).any();
  features.class_counts += fresh;
  features.uncounted = Vector::Zero(classes);
  const Vector quick = all.middleCols(2 + fit_numbers, quick_numbers).transpose();
  co_return Headcount{.pending = all(0, 0),
                      .quick_pending = quick(0),
                      .ended = static_cast<Index>(all(0, 1)),
                      .fit = FitSums::of(all.middleCols(2, fit_numbers)),
                      .asked = {.weight = quick(1), .quick_loss = quick(2), .usual_loss = quick(3)},
                      .all_classes = all_classes};
}

// A block that waits fades if a half-life was given. If it was found, what was opened does, at the root.
void forget(const Options& options, Index streams, std::uint64_t rounds, FeatureSet& set) {
  const double told = share_kept(options.half_life.value_or(0), streams, options.batch, rounds);
  const double found = share_kept(set.half_life, streams, options.batch, rounds);
  set.closed.forget(told);
  set.unopened *= told;
  set.memories.forget(streams, options.batch, rounds);
  set.losses *= found;
  set.total *= found;
}

void forget_since_last_meeting(const Options& options, State& state) {
  FeatureState& features = *state.features;
  const std::uint64_t rounds = state.round - features.met;
  features.met = state.round;
  features.class_counts *= share_kept(features.half_life, features.streams, options.batch, rounds);
  forget(options, features.streams, rounds, features);
  if (features.rival) forget(options, features.streams, rounds, *features.rival);
  if (features.quick) forget(options, features.streams, rounds, *features.quick);
}

// What was best before a change decides for about a block more.
void judge_quick(const Gathering& gathering, const Headcount& count, std::uint64_t rounds,
                 FeatureState& features) {
  const double block = block_quota(features.size(), 0);
  const double kept = share_kept(block, features.streams, gathering.options.batch, rounds);
  compare_with_quick(count.asked, count.all_classes, kept, *features.quick);
}

SetAtWork in_use(const Gathering& gathering, State& state) {
  return {.set = *state.features, .map = gathering.map, .preprocessing = state.preprocessing};
}

SetAtWork beside(const Gathering& gathering, State& state) {
  RivalSet& rival = *state.features->rival;
  return {.set = rival, .map = *gathering.rival_map, .preprocessing = rival.preprocessing};
}

SetAtWork leading(const Gathering& gathering, State& state) {
  FeatureState& features = *state.features;
  return {.set = *features.quick,
          .map = gathering.map,
          .preprocessing = state.preprocessing,
          .part = quick_places(features)};
}

Task<void> open_features(Gathering& gathering, SetAtWork work, FeatureState& features,
                         std::vector<Index> chosen, Learned learned) {
  co_await open_total(gathering, work, features.recent, std::move(chosen), learned);
  features.totals += 1;
}

Task<void> open_all(Gathering& gathering, SetAtWork work, FeatureState& features, Learned learned) {
  const FeatureSet& set = work.set;
  std::vector<Index> all = features_for(set.unopened, set.size(), set.random.has_value());
  co_await open_features(gathering, work, features, std::move(all), learned);
}

double samples_behind(const FeatureSet& set) { return samples_per_feature * static_cast<double>(set.size()); }

void close_block(FeatureSet& set, double samples) {
  set.closed += set.pending;
  set.pending = FeatureSums::none(set.size(), set.closed.outputs());
  set.pending_samples = 0;
  set.total += samples;
  set.unopened += samples;
}

void close_blocks(FeatureState& features, const Headcount& count) {
  close_block(features, count.pending);
  if (features.rival) close_block(*features.rival, count.pending);
  features.fitness.close_block(count.fit);
  features.fit = {};
}

// Samples of which totals of the leading features were opened are needed for these, too.
double samples_for_all_features(const FeatureState& features) {
  return features.unopened - (quick_learns(features) ? samples_behind(*features.quick) : 0);
}

Task<void> open_last(Gathering& gathering, State& state, std::vector<std::string>& notes) {
  FeatureState& features = *state.features;
  const double samples = samples_for_all_features(features);
  std::vector<Index> chosen = features_for(samples, features.size(), features.random.has_value());
  features.finished = true;
  if (std::ssize(chosen) < features.used) {  // of a run that went on after an end
    notes.push_back(fmt::format(
        "the last {:.0f} samples are kept but not in the answer: a total of {} features needs {} new samples "
        "behind each of them",
        features.unopened, features.used, samples_per_feature));
    co_return;
  }
  if (std::ssize(chosen) < features.size()) {
    notes.push_back(
        fmt::format("{} of {} features are used: a total needs {} new samples behind each of its features, "
                    "and there were {:.0f}",
                    chosen.size(), features.size(), samples_per_feature, samples));
  }
  const bool both = features.rival && features.rival->unopened >= samples_needed(features);
  co_await open_features(gathering, in_use(gathering, state), features, std::move(chosen), Learned::yes);
  if (both) {
    co_await open_all(gathering, beside(gathering, state), features, Learned::yes);
    compare_sets(gathering, state);
  }
  if (features.rival) drop_rival(gathering, features);
}

Task<void> open_quick_blocks(Gathering& gathering, State& state, Learned learned) {
  FeatureState& features = *state.features;
  if (features.quick->unopened < samples_behind(*features.quick)) co_return;
  co_await open_all(gathering, leading(gathering, state), features, learned);
}

// The totals go as far as the block before the one that is complete now, so that the last ones, whenever they
// come, have a whole block of new samples.
Task<void> open_waiting_blocks(Gathering& gathering, State& state) {
  FeatureState& features = *state.features;
  const double needed = samples_needed(features);
  const bool both = features.rival && features.rival->unopened >= needed;
  // A block that was closed before the rival began has moments of one set.
  const bool alone = features.rival && features.rival->total == 0;
  if (features.unopened < (alone ? needed - samples_behind(*features.rival) : needed)) co_return;
  co_await open_all(gathering, in_use(gathering, state), features, Learned::no);
  if (!both) co_return;
  co_await open_all(gathering, beside(gathering, state), features, Learned::no);
  compare_sets(gathering, state);
}

// Samples that the block at work still needs.
Task<double> work_on_blocks(Gathering& gathering, State& state, const Headcount& count) {
  FeatureState& features = *state.features;
  const double quota = block_quota(features_at_work(features), features.total);
  if (count.pending < quota) co_return quota - count.pending;
  co_await open_waiting_blocks(gathering, state);
  const Index fresh = features.pending_samples;
  close_blocks(features, count);
  const bool changed = features.fitness.strange_blocks >= enough_strange_blocks;
  if (changed && !features.rival && view_depends_on_samples(gathering.options))
    co_await begin_rival(gathering, state, fresh);
  co_return block_quota(features_at_work(features), features.total);
}

// The same of the leading features. They are none at first, and others once new features have taken over.
Task<double> work_on_quick_blocks(Gathering& gathering, State& state, const Headcount& count) {
  FeatureState& features = *state.features;
  const double quota = quick_quota(features);
  if (count.quick_pending < quota) co_return quota - count.quick_pending;
  co_await open_quick_blocks(gathering, state, Learned::no);
  close_block(*features.quick, count.quick_pending);
  co_return quick_quota(features);
}

Task<void> finish(Gathering& gathering, State& state, const Headcount& count,
                  std::vector<std::string>& notes) {
  FeatureState& features = *state.features;
  close_blocks(features, count);
  if (quick_learns(features)) {
    close_block(*features.quick, count.quick_pending);
    co_await open_quick_blocks(gathering, state, Learned::yes);
  }
  co_await open_last(gathering, state, notes);
}

std::uint64_t next_meeting(const State& state, double missing, const Options& options) {
  const FeatureState& features = *state.features;
  const std::uint64_t complete = state.round + rounds_until(missing, features.streams, options.batch);
  // Counts of classes are wanted whenever there are twice as many.
  return features.class_counts.size() > 0 ? std::min(complete, 2 * state.round) : complete;
}

}  // namespace

Index samples_to_keep(const Options& options, Index nodes) {
  return std::max(fewest_recent, warm_up_batches(options, nodes) * options.batch);
}

Task<void> meet(Gathering& gathering, State& state, std::vector<std::string>& notes) {
  FeatureState& features = *state.features;
  const Options& options = gathering.options;
  const std::uint64_t rounds = state.round - features.met;
  forget_since_last_meeting(options, state);
  const Headcount count = co_await count_together(gathering, state);
  if (features.quick) judge_quick(gathering, count, rounds, features);
  features.streams = gathering.node.network_size() - count.ended;
  if (features.streams == 0) {
    co_await finish(gathering, state, count, notes);
    co_return;
  }
  double missing = std::numeric_limits<double>::max();
  if (quick_learns(features)) missing = co_await work_on_quick_blocks(gathering, state, count);
  const double of_all_features = co_await work_on_blocks(gathering, state, count);
  missing = std::min(missing, of_all_features);
  if (quick_learns(features)) missing = std::min(missing, quick_quota(features));
  features.next = next_meeting(state, missing, options);
}

}  // namespace choir::online_kernel
