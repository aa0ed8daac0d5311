// New samples whose coordinates are spread over the nodes: every node adds what its own coordinates
// contribute, and ends with the scores. y = sum_i U_i'(z_i - mean_i)
//
//   const auto scores = project_coordinates(engine, graph, parts, new_samples, {.agree = Agree::gossip});
//
// D + 1 numbers a sample leave a node, once (tree) or some tens of times (gossip).
#pragma once

#include <optional>
#include <vector>

#include "choir/graph/graph.h"
#include "choir/model/linear_part.h"
#include "choir/runtime/blocks/gossip.h"
#include "choir/runtime/engine.h"

namespace choir {

struct ProjectionOptions {
  bool gossip = false;  // or along the tree
  GossipOptions gossip_options = {};
};

struct Projected {
  Matrix scores;  // N x D
  Vector errors;  // N: squared distance to the span, summed over all coordinates
};

// The node program: its part of the model, and its coordinates of the new samples (M_i x N).
Task<Projected> project(Node& node, LinearPart part, Samples samples, ProjectionOptions options);

// `parts` and `samples`: of the nodes that this process runs. The result too.
struct ProjectionRun {
  std::vector<std::optional<Projected>> nodes;  // J; nothing: crashed, or in another process
  RunReport report;
};
ProjectionRun project_coordinates(Engine& engine, const Graph& graph, std::vector<LinearPart> parts,
                                  std::vector<Samples> samples, const ProjectionOptions& options = {},
                                  const RunOptions& run = {});

}  // namespace choir
