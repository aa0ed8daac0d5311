// What a user decides about decentralised kernel PCA; README.md beside this has the equations.
//
//   consensus_kpca::Options options;
//   options.kernel.kind = KernelKind::rbf;
//   options.gamma = parse_gamma("2e-7");
//   options.n_components.count = 10;
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "choir/base/choices.h"
#include "choir/kernel/bandwidth.h"
#include "choir/kernel/kernel.h"
#include "choir/learn/components.h"
#include "choir/learn/features/landmarks.h"
#include "choir/learn/privacy/privacy_options.h"
#include "choir/linalg/precision.h"
#include "choir/model/preprocessing.h"

namespace choir::consensus_kpca {

using choir::to_string;

enum class ZStep {
  unbiased,  // its fixed point is an eigenvector of the covariance for any rho
  paper,     // eqs. 10 and 11 as printed: biased, for reproduction
};
enum class Init {
  gather,  // kernel PCA of the neighbourhood's samples
  local,   // of the node's own
  random,
};
enum class Centering {
  landmark,  // by the mean of all samples, seen through landmarks that all nodes share
  local,     // every shard by its own mean: right only if all nodes see the same distribution
  none,
};
enum class Share {
  samples,          // neighbours see each other's samples (the paper)
  landmarks,        // only means of several samples each, and sums over all samples of a node
  random_features,  // only sums over all samples of a node
};
enum class Answer {
  own,           // directions in the span of the node's own samples (the paper); scores are shrunk by ||w||^2
  neighborhood,  // in the span of its own and its neighbours' samples; carries these samples
  shared,        // in shared features, the same at all nodes; carries no sample
};
enum class Agree { tree, consensus, gossip };  // how feature statistics are summed, if no samples are shared

ChoiceNames<ZStep> choice_names(ZStep);
ChoiceNames<Init> choice_names(Init);
ChoiceNames<Centering> choice_names(Centering);
ChoiceNames<Share> choice_names(Share);
ChoiceNames<Agree> choice_names(Agree);
ChoiceNames<Answer> choice_names(Answer);  // "own", as in model files

// The penalties rho_jl of the constraint P_j z_l = w_j.
struct Penalty {
  enum class Rule {
    automatic,  // the largest bound of Assumption 2 in the network, for all
    number,     // the same for all
    schedule,   // as printed: 100 for a node itself; 10, 50, 100 for neighbours, four iterations each
  };
  Rule rule = Rule::automatic;
  double value = 0;  // of a number
};

Penalty parse_penalty(std::string_view text);  // "auto", "schedule", "250"; throws Error(InvalidArgument)
std::string to_string(const Penalty& penalty);

struct Options {
  Kernel kernel = {};
  GammaSpec gamma = {};              // in place of kernel.gamma, if the kernel has one
  Preprocessing preprocessing = {};  // as wished for; the sums of zscore are agreed
  ComponentChoice n_components = {};
  std::optional<Index> guard = {};  // columns beyond the components; 5, or 0 with the paper's z-step

  ZStep z_step = ZStep::unbiased;
  Penalty rho = {};
  Init init = Init::gather;
  Centering centering = Centering::landmark;
  double tol = 1e-2;  // on the change of each of a node's directions; 0: a run of fixed length
  Index max_iter = 60;
  Precision precision = Precision::float64;  // of the neighbourhood's kernel matrix
  double exchange_noise = 0;                 // sigma of what is added to samples before they leave a node

  Share share = Share::landmarks;
  std::optional<Answer> use = {};  // nothing: the one that claims most
  Agree agree = Agree::tree;
  Index n_landmarks = 400;  // at most
  Index n_features = 2000;  // random features
  std::string landmarks =
      {};  // a file of public points for landmarks, the same at all nodes; empty: found out
  std::optional<Array> public_points = {};  // what it holds: M x L
  Index min_count = 10;                     // samples behind every landmark that is a mean

  // Differential privacy (private_options.h): n_landmarks should then be about 100; min_count counts nothing.
  PrivacyOptions privacy = {};
};

// Public points are seen as samples are, after preprocessing.
LandmarkOptions landmarks_wanted(const Options& options, const Preprocessing& preprocessing = {});

// Throws Error(InvalidArgument) for what cannot be: numbers out of range, options that exclude each other.
void validate(const Options& options);

}  // namespace choir::consensus_kpca
