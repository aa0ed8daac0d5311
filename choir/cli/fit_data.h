// The data of a run, read, selected, preprocessed and on their nodes.
#pragma once

#include <vector>

#include "choir/cli/fit_options.h"
#include "choir/linalg/types.h"
#include "choir/model/preprocessing.h"

namespace choir::cli {

struct FitData {
  std::vector<Samples> shards;  // J, each M x N_j, preprocessed
  Preprocessing preprocessing;
  Index features = 0;
  Index samples = 0;

  Samples pooled() const;  // all shards side by side
};

// One file is dealt out to options.nodes (1 if not said); a pattern with {node} is read shard by shard.
FitData read_fit_data(const FitOptions& options);

}  // namespace choir::cli
