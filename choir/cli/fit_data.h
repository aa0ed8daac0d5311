// The data of a run, read, selected and on their nodes; as they are in the files.
#pragma once

#include <vector>

#include "choir/cli/fit_options.h"
#include "choir/cli/process_group.h"
#include "choir/linalg/types.h"
#include "choir/model/preprocessing.h"

namespace choir::cli {

struct FitData {
  NodeRange own;                // the nodes of this process
  std::vector<Samples> shards;  // of these nodes, each M x N_j
  Index nodes = 0;              // J, in all processes
  Index features = 0;           // M
  Index samples = 0;            // N, in all processes
  std::vector<Index> sizes;     // N_j of all nodes, in all processes

  Index size_of(NodeId node) const { return sizes[static_cast<std::size_t>(node)]; }
  const Samples& shard(NodeId node) const { return shards[static_cast<std::size_t>(node - own.first)]; }
  Samples& shard(NodeId node) { return shards[static_cast<std::size_t>(node - own.first)]; }
};

// One file is dealt out to options.nodes (1 if not said); of a pattern with {node} or {rank} this process
// reads the shards of its own nodes alone.
FitData read_fit_data(const FitOptions& options, ProcessGroup& processes);

// For methods with all samples in one place: preprocesses them and says how.
Preprocessing preprocess(const FitOptions& options, Samples& samples);

}  // namespace choir::cli
