// The tables of a run's nodes, as samples by one recipe. README.md of choir/run says where this stands.
//
//   if (wants_tables(settings.data, context)) ...
//   TableShards shards = read_tables(settings, context, {.nodes = 5, .own = own, .min_count = 10});
#pragma once

#include <string>
#include <vector>

#include "choir/data/dataset.h"
#include "choir/run/context.h"
#include "choir/run/settings.h"
#include "choir/runtime/engine.h"

namespace choir {

// Whether somebody asks for more of a file than its numbers.
bool asks_for_tables(const DataSettings& data);
// The same, or the labels of some process's file are words. All processes call it.
bool wants_tables(const DataSettings& data, ProcessGroup& processes);

struct TableReading {
  Index nodes = 0;         // with data
  NodeRange own = {};      // of this process
  Index without_data = 0;  // further nodes: a server
  bool pooled = false;     // nothing is sent: all tables are in this process
  Index min_count = 10;
  bool real_labels = false;  // labels are values
  bool in_file_order = false;
  // Classes that labels may have, as ascending words; empty: those that are found.
  std::vector<std::string> classes = {};
};

struct TableShards {
  std::vector<Dataset> shards;           // of the nodes of this process
  std::vector<std::vector<Index>> rows;  // of one file that was dealt out: whose rows they are
  std::string note = {};                 // how the file was dealt out; or empty
};

// A pattern: every node has a table. One file: dealt out as --by says, after rows with missing cells were
// left out. The recipe, with the classes, goes into the context, and what was filled into the result's notes.
// All processes call it. Throws what reading, choosing, agreeing on and following a recipe throw.
TableShards read_tables(const Settings& settings, MethodContext& context, const TableReading& reading);

// Samples without words, whose files have names: those of all nodes must be the same, and every shard is put
// in the order of the first. All processes call it.
void put_in_order(std::vector<Dataset>& shards, const NodeRange& own, MethodContext& context);

// What column_notes.h says of the samples of this process, if it has all of them and their columns have
// names; not under differential privacy.
void note_columns(const std::vector<Dataset>& shards, const Settings& settings, MethodContext& context);

// The number of features that are 0 or 1, for the method's preprocessing.
template <class Options>
void leave_indicators(const MethodContext& context, Options& options) {
  if constexpr (requires { options.preprocessing; })
    options.preprocessing.indicators = context.recipe ? context.recipe->indicators() : 0;
}

}  // namespace choir
