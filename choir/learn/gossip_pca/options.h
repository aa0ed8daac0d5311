// What a user decides about asynchronous gossip PCA; README.md beside this has the equations.
//
//   GossipPcaOptions options;
//   options.components.count = 10;
//   options.messages = 25;
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "choir/base/deadline.h"
#include "choir/base/progress.h"
#include "choir/kernel/bandwidth.h"
#include "choir/kernel/kernel.h"
#include "choir/learn/components.h"
#include "choir/model/preprocessing.h"
#include "choir/runtime/kind.h"

namespace choir {

enum class Division {  // what is spread over the nodes
  samples,             // each node has some samples, with all their coordinates
  coordinates,         // each node has some coordinates of all samples
};
enum class MergeRule {
  gram,                   // centred, exact but for the rank
  orthogonal_iterations,  // the paper's, corrected: uncentred, max_t iterations
  late,                   // no merging of bases: whole scatter matrices are summed (baseline)
};
enum class RitzValues {  // how orthogonal iterations read eigenvalues
  rayleigh,              // of Q'BQ
  diagonal,              // |diag R|, nearly as printed: loses mass in every merge
};
enum class Schedule {
  random,       // at its ticks a node sends half to a random neighbour
  broadcast,    // to all neighbours, in equal shares
  master,       // workers send to node 0 only, node 0 to a random one
  fast_master,  // the same, and node 0 ticks as often as all workers together
  tree,         // no gossip: merged up a tree, told down again; reliable networks only
};
enum class FeatureKind {
  none,             // the samples themselves: PCA
  landmarks,        // kernel PCA on Nystroem features of shared landmarks
  random_features,  // kernel PCA on random Fourier features: from a seed alone
};

// Each throws Error(InvalidArgument) naming the choices.
Division parse_division(std::string_view text);
MergeRule parse_merge_rule(std::string_view text);
RitzValues parse_ritz_values(std::string_view text);
Schedule parse_schedule(std::string_view text);
FeatureKind parse_feature_kind(std::string_view text);
std::string_view to_string(Division choice);
std::string_view to_string(MergeRule choice);
std::string_view to_string(RitzValues choice);
std::string_view to_string(Schedule choice);
std::string_view to_string(FeatureKind choice);

class FeatureStore;  // learn/features/feature_store.h
struct GossipEvent;  // observer.h

struct GossipPcaOptions {
  Division division = Division::samples;
  Preprocessing preprocessing = {};  // as wished for; the sums of zscore are agreed
  ComponentChoice components = {};

  MergeRule merge = MergeRule::gram;
  // Directions a node carries. Nothing: components and max(5, min(components, 10)) more for gram, no more for
  // orthogonal iterations. Nodes that see different things need four times the components; where coordinates
  // are spread, that is the default.
  std::optional<Index> carry = {};
  Index max_t = 4;  // orthogonal iterations a merge
  RitzValues ritz_values = RitzValues::rayleigh;

  Schedule schedule = Schedule::random;
  bool acknowledged = true;  // or plain: what is lost stays lost
  Index messages = 60;       // most that a node sends; counted after its last new samples, if it has a feed
  Duration mean_interval = std::chrono::milliseconds(10);  // between them
  double tol = 1e-4;  // on the change of a node's mean and variances over a window; 0: send all messages
  Index window = 10;  // receptions

  FeatureKind features = FeatureKind::none;
  Kernel kernel = {.kind = KernelKind::linear};
  GammaSpec gamma = {};  // in place of kernel.gamma, if the kernel has one
  Index n_landmarks = 400;
  Index n_features = 2000;
  Index min_count = 3;  // samples behind every landmark

  std::optional<Duration> half_life =
      {};  // after which a sample counts half; nothing: samples count for ever

  // What a node sends of its own alone, before it has received anything; nothing: raw_samples if that is a
  // single sample, else statistics.
  std::optional<Kind> own_kind = {};
  bool keep_iterates = false;  // the answer at the start and after each window, to measure how it came about
  Watch watch = {};            // progress, told by node 0
  std::function<void(const GossipEvent&)> observe = {};  // sees every change of every node; from its thread
  // All nodes draw the same random features from it. fit_gossip_pca() fills both in.
  std::uint64_t feature_seed = 0;
  std::shared_ptr<FeatureStore> store = {};
};

// Throws Error(InvalidArgument) for what cannot be: numbers out of range, options that exclude each other.
void validate(const GossipPcaOptions& options);

// Most components that may be asked for, and how many directions a node carries for them.
Index most_components(const GossipPcaOptions& options);
Index carried_directions(const GossipPcaOptions& options);

}  // namespace choir
