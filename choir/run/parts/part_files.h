// The parts of a model whose coordinates are spread, one file for each node that lived to write it, and each
// node's coordinates of new samples.
//
//   const std::vector<Index> numbers = find_parts("runs/a/model-{node}.npz");  // 0, 1, 3: none of node 2
//   OwnParts own = read_own_parts(files, numbers, processes.engine().own_nodes(3));
//   check_parts(facts_of_all_processes, numbers).missing;                      // 2
#pragma once

#include <string>
#include <vector>

#include "choir/learn/alignment/alignment.h"
#include "choir/linalg/types.h"
#include "choir/model/part.h"
#include "choir/runtime/engine.h"

namespace choir {

// What was asked for: patterns with {node}, or, for the data, one file with all columns.
struct PartSources {
  std::string model;
  std::string data;
  std::string use;  // which answer of the model files; empty: their default
  std::string key;  // the column, or the file, that says who each sample is; empty: none
};

bool names_parts(const std::string& model);  // has {node} in it

// The numbers of the files that exist, ascending. Throws Error(Io) if there are none.
std::vector<Index> find_parts(const std::string& pattern);

// What one process has: the parts of its own nodes, and where they came from.
struct OwnParts {
  struct Origin {
    std::string model;
    std::string data;
    Index nodes = 0;         // of the run that made it; 0: the file does not say
    Index data_columns = 0;  // of the whole data; 0: the node has a shard of its own
  };
  std::vector<Part> parts;
  std::vector<Samples> samples;     // M_i x N each
  std::vector<SampleOrder> orders;  // with their keys, if there are any
  std::vector<Origin> origins;
};

// Those of the parts numbers[first], ..., numbers[last - 1]. Throws Error(InvalidArgument) for models that
// are no parts or belong to another node, and for data that do not fit them.
OwnParts read_own_parts(const PartSources& sources, const std::vector<Index>& numbers, const NodeRange& own);

// What other processes may know of a part: numbers and names, no values.
struct PartFacts {
  std::string kind = {};
  std::string size = {};  // what parts of one model have in common, in words
  Index training_samples = 0;
  Index features = 0;
  bool has_answer = false;
  bool needs_all = false;
  std::string model = {};  // where it came from
  std::string data = {};
  Index nodes = 0;
  Index data_columns = 0;
  Index samples = 0;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(kind, size, training_samples, features, has_answer, needs_all, model, data, nodes, data_columns,
          samples);
  }
};
std::vector<PartFacts> facts_of(const OwnParts& own);

// All parts of all processes together.
struct PartsSummary {
  std::vector<Index> missing;  // numbers of nodes that left no part
};
// Throws Error(InvalidArgument) if they are not parts of one model, or not of the same samples, if none of
// them has the answer, or if one is missing that the others cannot do without.
PartsSummary check_parts(const std::vector<PartFacts>& parts, const std::vector<Index>& numbers);

}  // namespace choir
