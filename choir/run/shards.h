// The data of a run on their nodes, as they are in the files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "choir/data/dataset.h"
#include "choir/learn/division.h"
#include "choir/linalg/types.h"
#include "choir/model/preprocessing.h"
#include "choir/run/context.h"
#include "choir/run/settings.h"

namespace choir {

struct RunData {
  NodeRange own;                               // the nodes of this process
  std::vector<Samples> shards;                 // of these nodes, each M x N_j (coordinates: M_j x N)
  std::vector<std::vector<std::string>> keys;  // of these nodes: who their samples are; each may be empty
  std::vector<std::vector<Index>> columns;     // of these nodes: coordinates dealt out of one file; or empty
  std::vector<std::vector<Index>> rows;        // of these nodes: samples dealt out of one file; or empty
  std::vector<std::vector<std::int64_t>> labels;  // of these nodes; each is empty if nobody asked for them
  Index nodes = 0;                                // J, in all processes
  Index features = 0;                             // M, in all processes
  Index samples = 0;                              // N, in all processes
  std::string note;          // what a user should know about how they were dealt out; or empty
  std::vector<Index> sizes;  // N_j (coordinates: M_j) of all nodes, in all processes

  // Of any node; 0: one without data.
  Index size_of(NodeId node) const { return node < nodes ? sizes[static_cast<std::size_t>(node)] : 0; }
  // Of the whole data, for a part of a model; empty: shards that were there do not say.
  std::vector<std::int64_t> columns_of(NodeId node) const;
  // Of a node of this process; empty: a node without data, or nobody asked for them.
  std::vector<std::int64_t> labels_of(NodeId node) const {
    return node < nodes ? labels[place(node)] : std::vector<std::int64_t>();
  }
  const std::vector<std::string>& keys_of(NodeId node) const { return keys[place(node)]; }
  std::size_t place(NodeId node) const { return static_cast<std::size_t>(node - own.first); }
};

// How a method wants its data.
struct Dealing {
  Division division = Division::samples;
  bool in_file_order = false;  // samples of one file: each node has its own in the order of the file
  std::string key = {};        // coordinates: the column, or the file, that says who each sample is
  Index without_data = 0;      // nodes beyond those with data: a server
  bool empty_nodes = false;    // files of nodes may have no samples
  Index min_count = 0;         // samples behind every category of a table; 0: as the settings say
  bool pooled = false;         // all samples come to one place: nodes need not tell each other anything
  bool to_draw = true;         // keep some samples for the page; false: the method draws by itself
};

// One file, or one array, is dealt out to the nodes of the settings (1 if not said); of a pattern with {node}
// or {rank} this process reads the shards of its own nodes alone. Fills in the sizes of the result, and keeps
// some samples to draw.
RunData read_shards(const Settings& settings, MethodContext& context, const Dealing& dealing = {});

// Whether every node has data of its own, in place of a share of one file or array.
bool has_own_data(const Settings& settings, const MethodContext& context);

// How many nodes with data there are: as many as the settings say, one per rank for {rank}; of one file 1 if
// nothing is said. All processes call it.
Index count_nodes(const Settings& settings, MethodContext& context, Index without_data = 0);

// Throws Error(InvalidArgument) for what no method with a network can do, before any data are read.
void check_network_settings(const Settings& settings, const MethodContext& context);

// For methods with all samples in one place: preprocesses them and says how. `indicators`: the last features
// that are 0 or 1.
Preprocessing preprocess(const Settings& settings, Samples& samples, Index indicators = 0);

// The samples with one of these labels; all of them if there are none.
Dataset selected(Dataset dataset, const std::vector<std::int64_t>& labels);

}  // namespace choir
