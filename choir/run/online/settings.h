// What a user decides about a run of online-kernel: the method's options, and where its streams begin, end
// and are interrupted.
//
//   OnlineSettings settings;
//   apply_options(online_option_table(), {{.name = "passes", .values = {"3"}}}, settings);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "choir/data/stream.h"
#include "choir/learn/online_kernel/options.h"
#include "choir/run/option.h"
#include "choir/run/settings.h"

namespace choir {

// How often models are saved while a run learns: after so many samples of a node, or after a time.
struct SaveRhythm {
  std::uint64_t samples = 0;  // 0: by time
  Duration time = {};
};

template <>
struct OptionType<SaveRhythm> {
  static constexpr const char* unit = "N|TIME";
  static SaveRhythm parse(std::string_view option, std::string_view text);
  static std::string print(const SaveRhythm& value);
  static std::vector<std::string> choices() { return {}; }
};

struct OnlineSettings : Settings {
  online_kernel::Options method = {};
  Index passes = 1;
  // Labels that may occur, integers or words; empty: not said. The method's own classes are made of them.
  std::vector<std::string> classes;
  BadRecord on_bad_record = BadRecord::error;
  std::string predictions;  // a file for the prediction of every sample before it is learned; empty: none

  std::string test;         // a file of samples that nobody learns from; empty: none
  std::string test_labels;  // its labels; empty: as --labels

  std::string checkpoint;  // a folder; empty: none
  Index checkpoint_every = 10000;
  bool resume = false;
  std::optional<SaveRhythm> save_every = {};  // nothing: at the end

  OnlineSettings() {
    data.by = "turn";
    components.tol = 0;  // a stream ends when it ends
  }
};

OptionTable online_option_table();

// Completes `settings.method` with what methods share, all but the classes, which open_streams() finds.
// Throws Error(InvalidArgument) for options that contradict each other.
void complete_online_settings(OnlineSettings& settings);

// What must be the same for a run to go on from another's state, as one text: all that decides what a node
// learns from a sample, but not how often it reads its data. `nodes` and `classes`: those that were found.
std::string online_identity(const OnlineSettings& settings, Index nodes,
                            const std::vector<std::string>& classes);

}  // namespace choir
