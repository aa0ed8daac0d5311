// New samples whose coordinates are spread over the nodes: every node adds what its own coordinates
// contribute, and ends with the scores. y = sum_i U_i'(z_i - mean_i)
//
//   const auto projected = project_coordinates(engine, graph, parts, new_samples);
//   projected.results[0]->scores;                        // N x D, the same bits at every node
//
// D + 1 numbers a sample and D more rows of them leave a node: once up and once down the tree, or some tens
// of times with gossip, which then needs neither reliable links nor every node, and ends with estimates.
// Parts may be missing; the others then do what their coordinates allow (model/linear_part.h).
#pragma once

#include <optional>
#include <vector>

#include "choir/graph/graph.h"
#include "choir/model/linear_part.h"
#include "choir/runtime/blocks/gossip.h"
#include "choir/runtime/engine.h"

namespace choir {

struct ProjectionOptions {
  std::optional<GossipOptions> gossip = {};  // nothing: along the tree
};

// The node program: its part of the model, and its coordinates of the new samples (M_i x N).
Task<PartedAnswer> project(Node& node, LinearPart part, Samples samples, ProjectionOptions options);

// `parts` and `samples`: of the nodes that this process runs, in their order. Throws Error(InvalidArgument)
// if they do not belong together: other numbers of components, samples or coordinates.
Outcome<PartedAnswer> project_coordinates(Engine& engine, const Graph& graph, std::vector<LinearPart> parts,
                                          std::vector<Samples> samples, const ProjectionOptions& options = {},
                                          const RunOptions& run = {});

}  // namespace choir
