// The data of a run, read, selected and on their nodes; as they are in the files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "choir/cli/fit_options.h"
#include "choir/cli/process_group.h"
#include "choir/learn/gossip_pca/options.h"
#include "choir/linalg/types.h"
#include "choir/model/preprocessing.h"

namespace choir::cli {

struct FitData {
  NodeRange own;                               // the nodes of this process
  std::vector<Samples> shards;                 // of these nodes, each M x N_j (coordinates: M_j x N)
  std::vector<std::vector<std::string>> keys;  // of these nodes: who their samples are; each may be empty
  std::vector<std::vector<Index>> columns;     // of these nodes: coordinates dealt out of one file; or empty
  std::vector<std::vector<Index>> rows;        // of these nodes: samples dealt out of one file; or empty
  std::vector<std::vector<std::int64_t>> labels;  // of these nodes; each is empty if nobody asked for them
  Index nodes = 0;                                // J, in all processes
  Index features = 0;                             // M, in all processes
  Index samples = 0;                              // N, in all processes
  std::vector<Index> sizes;                       // N_j (coordinates: M_j) of all nodes, in all processes

  Index size_of(NodeId node) const { return sizes[static_cast<std::size_t>(node)]; }
  const Samples& shard(NodeId node) const { return shards[static_cast<std::size_t>(node - own.first)]; }
  Samples& shard(NodeId node) { return shards[static_cast<std::size_t>(node - own.first)]; }
  // Of the whole data, for a part of a model; empty: shards that were there do not say.
  std::vector<std::int64_t> columns_of(NodeId node) const;
};

// How a method wants its data.
struct Dealing {
  Division division = Division::samples;
  bool in_file_order = false;  // samples of one file: each node has its own in the order of the file
  std::string key = {};        // coordinates: the column, or the file, that says who each sample is
  Index without_data = 0;      // nodes beyond those with data: a server
};

// One file is dealt out to options.nodes (1 if not said); of a pattern with {node} or {rank} this process
// reads the shards of its own nodes alone.
FitData read_fit_data(const FitOptions& options, ProcessGroup& processes, const Dealing& dealing = {});

// How many nodes with data there are: as many as the options say, one a rank for {rank}; of one file 1 if
// nothing is said. All processes call it.
Index count_nodes(const FitOptions& options, ProcessGroup& processes, Index without_data = 0);

// For methods with all samples in one place: preprocesses them and says how.
Preprocessing preprocess(const FitOptions& options, Samples& samples);

}  // namespace choir::cli
