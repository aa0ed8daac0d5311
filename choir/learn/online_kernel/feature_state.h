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

#include "choir/kernel/kernel.h"
#include "choir/kernel/random_features.h"
#include "choir/learn/online_kernel/examination.h"
#include "choir/learn/online_kernel/feature_sums.h"
#include "choir/learn/online_kernel/fitness.h"
#include "choir/learn/online_kernel/memories.h"
#include "choir/linalg/types.h"
#include "choir/model/preprocessing.h"

namespace choir::online_kernel {

// Samples a node keeps for itself, to ask answers about, and to find new features from: the latest ones.
struct RecentSamples {
  Samples samples;  // M x R, as they came
  Vector targets;   // R: places in the classes, or standardised values
  Vector weights;   // R: that they were learned with, and what forgetting has left of them
};

// A map to features, the moments of what it makes of the stream, and the answer from them.
struct FeatureSet {
  // Agreed on when the set began, and the same from then on.
  std::optional<RandomFeaturesOptions> random = {};  // this, or the next two
  Samples landmarks = {};                            // Z: M x L
  Matrix whitening = {};                             // R: L x m, psi(x) = R'k_Z(x)

  // The node's own.
  FeatureSums closed;   // of complete blocks that no total has shown yet
  FeatureSums pending;  // of the block that is not complete
  Index pending_samples = 0;
  Index own_samples = 0;  // learned from since the set began

  // At the root of the tree alone: of all blocks that were opened.
  Memories memories;

  // The same at all nodes, from the last meeting.
  double total = 0;        // samples in the closed blocks of all nodes
  double unopened = 0;     // those of them that no total has shown yet
  Vector losses;           // progressive, one for each ridge of the grid
  Matrix weights;          // (m + 1) x K: what it predicts with; the last row is the intercept
  double ridge = 0;        // that these were found with; 0: none yet
  double half_life = 0;    // the same; 0: nothing is forgotten
  double score_scale = 4;  // chances of classes are the softmax of the scores times this
  Index used = 0;          // features in the last total
  Examination verdict;     // of the answer, over all nodes

  Index size() const { return closed.size(); }  // m
};

// New features beside those in use, because the stream no longer looks as it did when these were agreed on.
struct RivalSet : FeatureSet {
  Kernel kernel = {};
  Preprocessing preprocessing = {};
  Scene scene = {};
  Index asked = 0;            // totals after which both were asked about the same samples
  double loss = 0;            // progressive, summed over these
  double incumbent_loss = 0;  // the same for the features in use
};

// Losses of two answers to the same samples.
struct Contest {
  double weight = 0;      // sum of w
  double quick_loss = 0;  // sum of w |y - f|^2
  double usual_loss = 0;  // the same of the answer in all features

  Contest& operator+=(const Contest& other) {
    weight += other.weight;
    quick_loss += other.quick_loss;
    usual_loss += other.usual_loss;
    return *this;
  }
  void operator*=(double factor) {
    weight *= factor;
    quick_loss *= factor;
    usual_loss *= factor;
  }
};

// The leading features of the set in use, in blocks of their own. It has no map.
struct QuickSet : FeatureSet {
  Contest asked = {};    // the node's own, since the last meeting
  Contest contest = {};  // the same at all nodes, progressive, of late
  bool leads = false;    // its answer is the one that is used
};

// The set in use, whose kernel and preprocessing are the state's, and what does not depend on features.
struct FeatureState : FeatureSet {
  std::uint64_t warm_up = 0;  // rounds whose samples were counted before the first of them
  std::optional<RivalSet> rival = {};
  std::optional<QuickSet> quick = {};

  // The node's own.
  Vector uncounted;  // K: samples of each class that the agreed counts do not have yet
  RecentSamples recent;
  std::uint64_t solved_at = 0;  // samples of its own that the answer before the first total is of
  FitSums fit;                  // of the block that is not complete

  // The same at all nodes, from the last meeting.
  Fitness fitness;         // how the stream looked to the features in use
  Vector class_counts;     // K: samples of each class in the network; empty for values
  Index streams = 0;       // that had not ended
  std::uint64_t met = 0;   // the round of the last meeting
  std::uint64_t next = 1;  // of the next one
  Index totals = 0;        // opened so far
  Index renewals = 0;      // rivals that were better, and took over
  bool finished = false;   // all streams have ended, and the last total is there
};

}  // namespace choir::online_kernel
