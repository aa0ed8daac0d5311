// New samples whose features are spread over the nodes: every node adds what its own features contribute, and
// the nodes whose part of the model has the answer end with the scores.
//
//   const auto projected = project_coordinates(*engine, graph, parts, new_samples);
//   projected.results[0]->scores;                        // N x D, the same bits at every node that has them
//
// The contributions (model/part.h) leave a node once up and once down the tree, or some tens of times with
// gossip, which then needs no reliable links and ends with estimates. If the nodes know who their samples are
// they first find out whether all have the same ones in the same order (learn/alignment). Linear parts may be
// missing or lost; the others then do what their coordinates allow. A kernel needs all of them.
#pragma once

#include <optional>
#include <vector>

#include "choir/graph/graph.h"
#include "choir/learn/alignment/alignment.h"
#include "choir/model/part.h"
#include "choir/runtime/blocks/gossip.h"
#include "choir/runtime/engine.h"

namespace choir {

struct ProjectionOptions {
  std::optional<GossipOptions> gossip = {};  // nothing: along the tree
};

// The node program: its part of the model, and its features of the new samples (M_i x N). An order without
// keys is taken for the others'. Nothing where the part only adds to sums.
Task<std::optional<PartedAnswer>> project(Node& node, Part part, Samples samples, SampleOrder order,
                                          ProjectionOptions options);

// `parts` and `samples`: of the nodes that this process runs, in their order; so `orders`, or none. No
// result: the node's part has no answer, it crashed, or it is in another process. Throws
// Error(InvalidArgument) if they do not belong together (other kinds, numbers of components or training
// samples, samples, features), and for parts that need all others if the run would go on without lost peers;
// Error(BadData) for samples that are out of step.
Outcome<PartedAnswer> project_coordinates(Engine& engine, const Graph& graph, std::vector<Part> parts,
                                          std::vector<Samples> samples, const ProjectionOptions& options = {},
                                          const RunOptions& run = {}, std::vector<SampleOrder> orders = {});

}  // namespace choir
