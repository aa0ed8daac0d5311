// What a user decides about kernel PCA of parties that hold different features of the same samples; README.md
// beside this has the equations.
//
//   oneshot_kpca::Options options;
//   options.kernel.kind = KernelKind::rbf;
//   options.gamma = parse_gamma("0.01");
//   options.n_components.count = 10;
#pragma once

#include <optional>

#include "choir/base/choices.h"
#include "choir/base/types.h"
#include "choir/kernel/bandwidth.h"
#include "choir/kernel/kernel.h"
#include "choir/learn/components.h"
#include "choir/model/preprocessing.h"

namespace choir::oneshot_kpca {

using choir::to_string;

enum class Estimator {
  automatic,  // whichever of the two is cheaper for the same accuracy (sending_plan.h)
  product,    // the paper's: local kernel matrices of low rank, multiplied (rbf) or added (linear)
  distances,  // local scatters of low rank and what they leave out: squared distances and inner products
};
enum class Fusion {
  center,  // one message from each party to one node, which alone gets the result
  tree,    // factors merged along a tree; every party gets the result
  gossip,  // factors gossiped; every party gets the result, nobody waits
};

ChoiceNames<Estimator> choice_names(Estimator);
ChoiceNames<Fusion> choice_names(Fusion);

struct Options {
  Estimator estimator = Estimator::automatic;
  Fusion fusion = Fusion::center;
  NodeId center = 0;
  Kernel kernel = {};
  GammaSpec gamma = {};  // in place of kernel.gamma, if the kernel has one
  Preprocessing preprocessing = {};
  ComponentChoice n_components = {};
  bool match_keys = false;     // samples are brought into one order by their keys, and those that not all
                               // parties have are left out
  Index max_keys = 1'000'000;  // that a party may bring: so many names at most it can try on the others

  std::optional<Index> local_components = {};  // D_j; nothing: adaptive, eq. 4
  std::optional<double> epsilon = {};          // of eq. 4; nothing: 5e-4, or 0.04 for scatters (the linear
                                               // kernel, and distances that were asked for)
  bool no_raw_equivalent = false;              // fail instead of sending as much as the raw features

  Index messages_per_node = 60;  // fusion = gossip
  double tol = 1e-8;             // of the eigensolvers
  Index max_iter = 100;
};

// Throws Error(InvalidArgument) for what cannot be.
void validate(const Options& options);

// What the parties' message is made of, as far as the options alone decide it: without a centre there is no
// product of local kernels, and most kernels have distances only. automatic: the parties decide, by what they
// would have to send.
Estimator decided_estimator(const Options& options);

}  // namespace choir::oneshot_kpca
