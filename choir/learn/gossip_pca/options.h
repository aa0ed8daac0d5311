// What a user decides about asynchronous gossip PCA; README.md beside this has the equations.
//
//   gossip_pca::Options options;
//   options.n_components.count = 10;
//   options.messages_per_node = 25;
#pragma once

#include <chrono>
#include <optional>

#include "choir/base/choices.h"
#include "choir/base/deadline.h"
#include "choir/kernel/bandwidth.h"
#include "choir/kernel/kernel.h"
#include "choir/learn/components.h"
#include "choir/learn/division.h"
#include "choir/learn/features/feature_kind.h"
#include "choir/learn/privacy/privacy_options.h"
#include "choir/model/preprocessing.h"

namespace choir::gossip_pca {

using choir::to_string;

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
enum class Delivery {
  acknowledged,  // what is lost comes back
  plain,         // what is lost stays lost
};

ChoiceNames<MergeRule> choice_names(MergeRule);
ChoiceNames<RitzValues> choice_names(RitzValues);
ChoiceNames<Schedule> choice_names(Schedule);
ChoiceNames<Delivery> choice_names(Delivery);

struct Options {
  Division partition = Division::samples;
  Preprocessing preprocessing = {};  // as wished for; the sums of zscore are agreed
  ComponentChoice n_components = {};

  MergeRule merge = MergeRule::gram;
  // Directions a node carries. Nothing: components and max(5, min(components, 10)) more for gram, no more for
  // orthogonal iterations. Nodes that see different things need four times the components; where coordinates
  // are spread, that is the default.
  std::optional<Index> carry = {};
  Index max_t = 4;  // orthogonal iterations a merge
  RitzValues ritz_values = RitzValues::rayleigh;

  Schedule schedule = Schedule::random;
  Delivery links = Delivery::acknowledged;
  // A node sends so many times at most; after its last new samples, if it has a feed. Nothing: as many as the
  // network needs, see enough_messages().
  std::optional<Index> messages_per_node = {};
  Duration interval = std::chrono::milliseconds(10);  // between them, on average
  // On what is left to change of a node's mean and variances, and on the growth of variances in the
  // refinement; 0: send all messages, and do not refine.
  double tol = 1e-4;
  Index window = 10;  // receptions

  FeatureKind features = FeatureKind::none;
  Kernel kernel = {.kind = KernelKind::linear};
  GammaSpec gamma = {};  // in place of kernel.gamma, if the kernel has one
  Index n_landmarks = 400;
  Index n_features = 2000;
  Index min_count = 10;  // samples behind every landmark

  std::optional<Duration> half_life =
      {};  // after which a sample counts half; nothing: samples count for ever

  // Differential privacy (private_options.h): nothing is gossiped or refined then, and of the options above
  // only preprocessing, components, features and kernel count. n_landmarks should be about 100.
  PrivacyOptions privacy = {};
};

// Throws Error(InvalidArgument) for what cannot be: numbers out of range, options that exclude each other.
void validate(const Options& options);

// Throws Error(InvalidArgument) for options that samples cannot arrive under.
void require_streams(const Options& options);

// What a run is to do beside the options.
struct Surroundings {
  bool by_features = false;  // one file is dealt out by its columns
  bool yardsticks = false;
  bool stream = false;
};
// Throws Error(InvalidArgument) for options that exclude what the run is to do.
void require_fitting(const Options& options, const Surroundings& run);

// What stands for a kernel if nobody says: none for the linear one, which needs nothing.
FeatureKind default_features(const Kernel& kernel);

// Gossip in a network of `mixing` (Circumstances) comes nearer to the mean by this factor, e to the minus it,
// with every message of a node.
double rate_of_gossip(double mixing);
// Messages after which the nodes of a network agree to within tol, and have noticed it; not more than a few
// hundred, because a refinement that needs two messages per step follows where all nodes are there.
Index enough_messages(const Options& options, Index nodes, double mixing);

// Most components that may be asked for, and how many directions a node carries for them.
Index most_components(const Options& options);
Index carried_directions(const Options& options);

}  // namespace choir::gossip_pca
