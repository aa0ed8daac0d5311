// What a user decides about learning from streams at many nodes; README.md beside this has the equations.
//
//   online_kernel::Options options;
//   options.gamma = parse_gamma("0.5");
//   options.classes = {0, 1, 2};
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "choir/base/choices.h"
#include "choir/base/types.h"
#include "choir/kernel/bandwidth.h"
#include "choir/kernel/kernel.h"
#include "choir/learn/privacy/privacy_options.h"
#include "choir/model/preprocessing.h"

namespace choir::online_kernel {

enum class Loss { logistic, hinge, squared, huber };
enum class Consensus {
  diffusion,  // dictionaries are exchanged and averaged with Metropolis weights
  symmetric,  // the full gradient of the penalty: batches and values are exchanged
  penalty,    // the paper, eq. 7 to 11: half of it
  none,       // everybody alone
};

// What a node keeps of its stream.
enum class Representation {
  dictionary,       // samples with weights: the paper
  random_features,  // moments of random Fourier features, which are added up over the network
  landmarks,        // moments of Nystroem features of landmarks that all nodes share
};
enum class Schedule {
  decay,     // steps shrink as long as the stream lasts
  constant,  // after a while they stay, so that a stream that changes is followed
};
enum class ClassWeights {
  balanced,  // all classes weigh the same, however often they come
  none,      // all samples weigh the same
};

ChoiceNames<Loss> choice_names(Loss);
ChoiceNames<Consensus> choice_names(Consensus);
ChoiceNames<Representation> choice_names(Representation);
ChoiceNames<Schedule> choice_names(Schedule);
ChoiceNames<ClassWeights> choice_names(ClassWeights);
using choir::to_string;

bool is_classification(Loss loss);  // logistic, hinge

struct Options {
  Loss loss = Loss::logistic;
  Consensus consensus = Consensus::diffusion;
  Kernel kernel = {};
  GammaSpec gamma = {};  // in place of kernel.gamma; rules are agreed on from the nodes' first batches
  Preprocessing preprocessing = {};   // zscore: by the first batches
  std::vector<std::int64_t> classes;  // of all nodes, ascending; empty for values
  double huber_width = 1;             // in deviations of the targets
  ClassWeights class_weights = ClassWeights::balanced;
  Index batch = 32;
  std::optional<Representation> representation = {};  // nothing: see representation_of()

  // Features.
  Index n_features = 500;
  Index n_landmarks = 500;
  Index min_count = 3;  // samples behind every landmark that is a mean
  // Samples of the network after which a sample counts half; 0: nothing is forgotten; nothing: progressive
  // losses decide if, and how fast.
  std::optional<double> half_life = {};

  // Dictionaries.
  std::optional<double> eta = {};  // nothing: see step.h, for kernels with k(x,x) = 1; others must give a
                                   // number
  Schedule schedule = Schedule::decay;  // of automatic steps
  std::optional<double> epsilon = {};   // of KOMP; nothing: see step.h
  double alpha = 1e-6;                  // weight of the regulariser ||f||^2 / 2
  Index max_atoms = 500;                // memory is bounded whatever epsilon says
  double penalty = 0.01;                // c, first value (penalty, symmetric)
  Index penalty_doubling = 200;         // samples of a node after which c doubles, up to its cap; 0: never

  PrivacyOptions privacy = {};  // differential privacy; README.md of learn/privacy
};

// The one given; or random features under differential privacy, which allows nothing else; or landmarks,
// whose answers are best (README.md); or dictionary, for losses, forms of consensus and steps that only
// dictionaries have.
Representation representation_of(const Options& options);
bool uses_features(const Options& options);    // any but the dictionary
Index outputs_of(const Options& options);      // K: classes, or 1
bool has_unit_diagonal(const Kernel& kernel);  // k(x,x) = 1 whatever x is

// Throws Error(InvalidArgument) for what cannot be.
void validate(const Options& options);

}  // namespace choir::online_kernel
