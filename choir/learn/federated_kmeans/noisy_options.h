// Which options go with differential privacy, and what a user gets who does not choose.
//
//   options = with_noisy_defaults(options, {.embedding = was_given("embedding"), ...});
//   validate_noisy(options);
#pragma once

#include "choir/learn/federated_kmeans/options.h"

namespace choir::federated_kmeans {

// README.md beside this has the measurements. Noise in a centre grows with the number of features, and with
// the number of rounds that share the budget.
inline constexpr Index default_noisy_features = 200;
inline constexpr Index default_noisy_rounds = 5;

// Options that somebody chose; the others may be changed.
struct Chosen {
  bool embedding = false;
  bool n_features = false;
  bool max_iter = false;
};
// Random features, fewer of them, a few rounds: where these options still have their usual defaults.
Options with_noisy_defaults(Options options, const Chosen& chosen);

// Throws Error(InvalidArgument) for what would show more of samples than noisy totals do, and for options
// that mean nothing then. Anything is allowed without differential privacy.
void validate_noisy(const Options& options);

}  // namespace choir::federated_kmeans
