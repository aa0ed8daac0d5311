// Some samples of some nodes as these nodes' models see them: what a page draws of an answer. Made for a page
// only.
//
//   EmbeddingSketch sketch;
//   sketch.keep(own, shards, labels);                      // before the samples go to the nodes
//   sketch.add(node.id(), model, threads);                 // for every node's answer
//   result.embedding = sketch.drawing();
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "choir/linalg/types.h"
#include "choir/model/kernel_machine.h"
#include "choir/model/model_file.h"
#include "choir/run/drawings.h"
#include "choir/runtime/engine.h"

namespace choir {

class EmbeddingSketch {
 public:
  static constexpr Index most_nodes = 60;
  static constexpr Index most_numbers = 40000;  // of all points together
  static constexpr Index most_components = 10;

  // The samples of nodes that are spread over all of this process's. `labels`: of each node, or empty.
  void keep(const NodeRange& own, const std::vector<Samples>& shards,
            const std::vector<std::vector<std::int64_t>>& labels);
  // There are nodes of other processes.
  void say_whose(const NodeRange& own);
  bool wants(NodeId node) const { return kept_.contains(node); }
  // Nothing happens for nodes that were not kept and models without a plane to draw in.
  void add(NodeId node, const Model& model, int threads);
  // Scores that are known, of an answer that stands for more than one node, or for one whose model need not
  // be asked.
  struct Scores {
    NodeId node = 0;                   // whose answer it is
    std::string name;                  // what people call it; empty: the node
    Matrix scores;                     // N x D
    std::vector<std::int64_t> labels;  // N, or empty
  };
  void add_scores(const Scores& answer);
  // Nothing if there is nothing to draw.
  std::optional<EmbeddingDrawing> drawing() const;

 private:
  struct Kept {
    Samples samples;
    std::vector<std::int64_t> labels;  // empty: none
  };
  std::map<NodeId, Kept> kept_;
  EmbeddingDrawing drawing_;
};

// Every how-manieth of so many, `count` of them at most.
std::vector<Index> spread(Index of, Index count);

struct NodeMachine {
  NodeId node = 0;
  KernelMachine machine;
};
// Nothing if they have other than two features, or nothing in their dictionaries. It takes no sample, and its
// range is rounded.
std::optional<DecisionDrawing> draw_decisions(const std::vector<NodeMachine>& machines);

}  // namespace choir
