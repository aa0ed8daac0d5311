// Some samples of some nodes as these nodes' models see them: what a report draws of an answer.
//
//   EmbeddingFacts facts;
//   facts.keep(data.own, data.shards, data.labels);       // before the samples go to the nodes
//   facts.add(node, model);                               // for every node's answer
//   facts.add_scores({.node = 0, .name = "every party", .scores = answer.scores, .labels = labels});
//   result.extra["embedded_samples"] = facts.json();
//
// {"axes": ["component 1", ..., "component D"], "labels_are": "labels", "of": N, "whose": "nodes 0 to 4",
// "nodes": [{"node": 3, "points": [[c_1, ..., c_D, label], ...]}, ...]}; D is the smallest number of
// components of any node, at most most_components. A model with one component has a second axis, "sample",
// which counts its samples. The label comes from the data, or is null; where the model has clusters it is the
// cluster, and "labels_are" is "clusters". An entry that stands for more than its node has a "name". "whose"
// is present if other processes have nodes, too: their samples stay there.
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
  // 4000 points of 10 coordinates take at most 1.5 MB of indented JSON.
  static constexpr Index most_components = 10;

  // The samples of nodes that are spread over all of this process's. `labels`: of each node, or empty.
  void keep(const NodeRange& own, const std::vector<Samples>& shards,
            const std::vector<std::vector<std::int64_t>>& labels);
  // There are nodes of other processes.
  void say_whose(const NodeRange& own);
  // Does nothing for nodes that were not kept and for models without components.
  void add(NodeId node, const Model& model);
  // Of a method whose answer has the scores of the samples, where no node has a model that could find them
  // again.
  struct Scores {
    NodeId node = 0;                   // whose answer it is
    std::string name;                  // what people call it
    const Matrix& scores;              // N x D
    std::vector<std::int64_t> labels;  // N, or empty
  };
  void add_scores(const Scores& answer);
  // Null if there is nothing to draw.
  nlohmann::ordered_json json() const;

 private:
  struct Kept {
    Samples samples;
    std::vector<std::int64_t> labels;  // empty: none
  };
  std::map<NodeId, Kept> kept_;
  // What one node's model, or one answer for all nodes, made of some samples.
  struct Entry {
    NodeId node = 0;
    std::string name;                  // empty: that of its node
    Matrix points;                     // N x D, at most most_components
    std::vector<std::int64_t> labels;  // N, or empty
  };
  Index samples_ = 0;  // of all nodes of this process
  std::string whose_;  // empty: all there are
  std::vector<Entry> entries_;
  bool has_clusters_ = false;
};

// Every how-manieth of so many, `count` of them at most.
std::vector<Index> spread(Index of, Index count);

// What machines of two features answer all over the plane that their dictionaries lie in; null if they have
// other features, or nothing in their dictionaries. It takes no sample, and its range is rounded.
//
// {"axes": ["feature 1", "feature 2"], "x": [low, high], "y": [low, high], "columns": n, "rows": n,
// "classes": [0, 1], "nodes": [{"node": 3, "cells": [...]}, ...]}; cells row by row from low y on, each from
// low x on: the place of the answer in classes, or, where these are empty, the value.
struct NodeMachine {
  NodeId node = 0;
  KernelMachine machine;
};
nlohmann::ordered_json decision_facts(const std::vector<NodeMachine>& machines);

}  // namespace choir::cli
