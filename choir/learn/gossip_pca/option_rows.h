// The rows of a table that set these options: what each is called, and one line of help. `Rows` is whatever
// makes such a table (run/option.h), which nothing here needs to know.
#pragma once

#include "choir/learn/features/option_rows.h"
#include "choir/learn/gossip_pca/options.h"

namespace choir::gossip_pca {

// What rows that other methods have, too, mean here.
template <class Table>
void describe_shared_rows(Table& table) {
  table.at("by").says(
      "how one file is distributed: iid, label:K, sizes:A..B; features with --partition coordinates");
  table.at("tol").says(
      "threshold on the change of a node's mean and variances, below which it stops sending, and on the "
      "growth of eigenvalues, below which the refinement ends; 0: a node sends all its messages, and "
      "nothing is refined");
  table.at("yardsticks").says("compare with PCA of all samples in one place");
}

template <class Rows>
void add_partition_rows(Rows data) {
  data.add("partition", &Options::partition,
           "each node has some samples, or some columns of all samples (coordinates)");
  data.add("half-life", &Options::half_life, "none",
           "time after which a sample counts half, such as 2s; none: all samples count the same");
}

template <class Rows>
void add_sending_rows(Rows gossip) {
  gossip
      .add("messages-per-node", &Options::messages_per_node, "auto",
           "largest number of messages that a node sends; with --stream, after its last new samples; "
           "auto: 60 to 240, by the number of nodes and how fast news spread among them")
      .at_least(1);
  gossip.add("interval", &Options::interval, "mean time between two messages of a node");
  gossip
      .add(
          "schedule", &Options::schedule,
          "send to a random neighbour (random), to all (broadcast), through node 0 (master, fast-master), or "
          "without gossip up a tree and down again, for networks that lose nothing (tree)")
      .in_short_help();
  gossip.add("links", &Options::links,
             "acknowledged: lost messages are sent again; plain: lost messages stay lost");
  gossip.add("window", &Options::window, "number of received messages over which the change is measured")
      .at_least(1);
}

template <class Rows>
void add_merging_rows(Rows merging) {
  merging.add("merge", &Options::merge,
              "gram, orthogonal-iterations (the paper's), or late (whole scatter matrices)");
  merging
      .add("carry", &Options::carry, "auto",
           "directions that a node carries; auto: 5 to 10 more than the components; four times as many with "
           "--partition coordinates; as many as components with --merge orthogonal-iterations")
      .at_least(1);
  merging.add("max-t", &Options::max_t, "number of orthogonal iterations per merge").at_least(1);
  merging.add("ritz-values", &Options::ritz_values,
              "how orthogonal iterations read eigenvalues: rayleigh, or diagonal (nearly as printed)");
}

template <class Rows>
void add_feature_rows(Rows features) {
  add_feature_size_rows<Options>(features);
}

}  // namespace choir::gossip_pca
