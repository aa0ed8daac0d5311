// New samples for a model in parts: the nodes add up what their coordinates contribute.
//
//   ApplySettings settings;
//   settings.model = "runs/a/model-{node}.npz";
//   settings.data.data = "part-{node}.npy";
//   const PartsAnswer parts = apply_parts(settings, processes, settings.run_options());
//   if (parts.answer) write_matrix("scores.npy", parts.answer->scores);         // one process has it
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "choir/base/choices.h"
#include "choir/model/linear_part.h"
#include "choir/run/settings.h"
#include "choir/runtime/process_group.h"

namespace choir {

enum class PartsAgree { tree, gossip };
ChoiceNames<PartsAgree> choice_names(PartsAgree);

// What `choir transform` and `choir score` are asked for. Of the shared settings data, out, threads, network,
// engine and simulator count; all but the first three are for models in parts.
struct ApplySettings : Settings {
  std::string model;
  std::string use;  // which of the model's answers; empty: its default
  PartsAgree agree = PartsAgree::tree;
  std::string key;               // who each sample is, for nodes with data of their own
  Index messages_per_node = 60;  // with gossip
};

inline constexpr const char* parts_group = "Models in parts (--model 'RUN/model-{node}.npz')";

// The rows of ApplySettings that are for models in parts alone; their group is parts_group, Network or
// Simulator.
void add_parts_rows(OptionTable& table);

struct PartsAnswer {
  std::optional<PartedAnswer> answer = {};  // in one process: that of the first node that has one
  std::vector<std::string> warnings = {};   // parts that are missing, nodes that were lost
  std::string sent = {};                    // what left a node, in words
};

// All processes call it. Throws what find_parts, read_own_parts, check_parts and project_coordinates throw,
// and Error(PeerLost) if a node crashed and the run was not to go on without it.
PartsAnswer apply_parts(const ApplySettings& settings, ProcessGroup& processes, const RunOptions& run);

}  // namespace choir
