// What a user decides about a run of online-kernel: the method's options, and where its streams begin, end
// and are interrupted.
//
//   OnlineSettings settings;
//   apply_options(online_option_table(), {{.name = "passes", .values = {"3"}}}, settings);
#pragma once

#include <string>

#include "choir/learn/online_kernel/options.h"
#include "choir/run/option.h"
#include "choir/run/settings.h"

namespace choir {

struct OnlineSettings : Settings {
  online_kernel::Options method = {};
  Index passes = 1;

  std::string test;         // a file of samples that nobody learns from; empty: none
  std::string test_labels;  // its labels; empty: as --labels

  std::string checkpoint;  // a folder; empty: none
  Index checkpoint_every = 10000;
  bool resume = false;

  OnlineSettings() {
    data.by = "turn";
    components.tol = 0;  // a stream ends when it ends
  }
};

OptionTable online_option_table();

// Completes `settings.method` with what methods share, all but classes that were not given. Throws
// Error(InvalidArgument) for options that contradict each other.
void complete_online_settings(OnlineSettings& settings);

// What must be the same for a run to go on from another's state, as one text: all that decides what a node
// learns from a sample, but not how often it reads its data. `nodes` and `classes`: those that were found.
std::string online_identity(const OnlineSettings& settings, Index nodes,
                            const std::vector<std::int64_t>& classes);

}  // namespace choir
