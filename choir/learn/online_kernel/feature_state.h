// What a node is after a round if it keeps moments of features in place of samples: all that the next round
// depends on. README.md has the rules.
//
//   Index opened = 0;
//   hooks.after_round = [&](const online_kernel::Round&, const online_kernel::State& state) {
//     if (state.features) opened = state.features->totals;
//   };
#pragma once

#include <cstdint>
#include <optional>

#include "choir/kernel/random_features.h"
#include "choir/learn/online_kernel/examination.h"
#include "choir/learn/online_kernel/feature_sums.h"
#include "choir/linalg/types.h"

namespace choir::online_kernel {

// Samples a node keeps for itself, to ask answers about: the latest ones.
struct RecentSamples {
  Samples samples;  // M x R, after preprocessing
  Vector targets;   // R: places in the classes, or standardised values
  Vector weights;   // R: that they were learned with, and what forgetting has left of them
};

struct FeatureState {
  // Agreed on after the warm-up, and the same from then on.
  std::optional<RandomFeaturesOptions> random = {};  // this, or the next two
  Samples landmarks = {};                            // Z: M x L
  Matrix whitening = {};                             // R: L x m, psi(x) = R'k_Z(x)
  std::uint64_t warm_up = 0;  // rounds whose samples were counted before the first of them

  // The node's own.
  FeatureSums closed;   // of blocks that are complete
  FeatureSums pending;  // of the block that is not
  Index pending_samples = 0;
  Vector uncounted;  // K: samples of each class that the agreed counts do not have yet
  RecentSamples recent;
  std::uint64_t solved_at = 0;  // samples of its own that the answer before the first total is of

  // The same at all nodes, from the last meeting.
  Vector class_counts;     // K: samples of each class in the network; empty for values
  double total = 0;        // samples in the closed blocks of all nodes
  double unopened = 0;     // those of them that no total has shown yet
  Index streams = 0;       // that had not ended
  std::uint64_t met = 0;   // the round of the last meeting
  std::uint64_t next = 1;  // of the next one
  Vector losses;           // progressive, one for each ridge of the grid
  Matrix weights;          // (m + 1) x K: what it predicts with; the last row is the intercept
  double ridge = 0;        // that these were found with; 0: none yet
  double score_scale = 4;  // chances of classes are the softmax of the scores times this
  Index totals = 0;        // opened so far
  Index used = 0;          // features in the last total
  Examination verdict;     // of the answer, over all nodes
  bool finished = false;   // all streams have ended, and the last total is there

  Index size() const { return closed.size(); }  // m
};

}  // namespace choir::online_kernel
