// Some samples of some nodes as these nodes' models see them: what a report draws of an answer.
//
//   EmbeddingFacts facts;
//   facts.keep(data.own, data.shards, data.labels);       // before the samples go to the nodes
//   facts.add(node, model);                               // for every node's answer
//   result.extra["embedded_samples"] = facts.json();
//
// {"axes": ["component 1", "component 2"], "of": N, "nodes": [{"node": 3, "points": [[x, y, label], ...]},
// ...]}; the label is that of the data, the cluster where the model has clusters, or null.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "choir/linalg/types.h"
#include "choir/model/model_file.h"
#include "choir/runtime/engine.h"

namespace choir::cli {

class EmbeddingFacts {
 public:
  static constexpr Index most_nodes = 60;
  static constexpr Index most_points = 4000;  // of all nodes together

  // The samples of nodes that are spread over all of them. `labels`: of each node, or empty.
  void keep(const NodeRange& own, const std::vector<Samples>& shards,
            const std::vector<std::vector<std::int64_t>>& labels);
  // Nothing happens for nodes that were not kept and models without a plane to draw in.
  void add(NodeId node, const Model& model);
  // Null if there is nothing to draw.
  nlohmann::ordered_json json() const;

 private:
  struct Kept {
    Samples samples;
    std::vector<std::int64_t> labels;  // empty: none
  };
  std::map<NodeId, Kept> kept_;
  Index samples_ = 0;  // of all nodes
  std::vector<std::string> axes_;
  nlohmann::ordered_json nodes_ = nlohmann::ordered_json::array();
};

}  // namespace choir::cli
