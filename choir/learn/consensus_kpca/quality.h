// How close the nodes came to the central answer, and how close they could have come.
//
//   const central_kpca::Fit central = fit_central_kpca(all_samples, {});  // preprocessed, in order of nodes
//   const consensus_kpca::Quality quality = measure_quality(fit, graph, shards, central);
//   quality.similarity_own(j, d);
//
// Needs all samples in one place: for experiments and --yardsticks.
#pragma once

#include <string>
#include <vector>

#include "choir/learn/central/yardsticks.h"
#include "choir/learn/consensus_kpca/consensus_kpca.h"

namespace choir::consensus_kpca {

struct Quality {  // J x D each; a crashed node's row is NaN where it has no answer
  Matrix similarity_own;
  Matrix similarity_neighborhood;        // empty if samples were not shared
  Matrix similarity_shared;              // empty if nodes share neither landmarks nor random features
  std::vector<Vector> similarity_after;  // node j's, mean over components, after each iteration; if iterates
                                         // were kept
  Yardsticks yardsticks;                 // seen from the exact mean, unless every shard loses its own
  double subspace_cosine_min = 0;  // mean over nodes of the smallest cosine between the span of the best
                                   // answer and that of the central one
};

// `shards`: of all nodes, as the fit saw them after preprocessing (before noise); `central`: fit of their
// union with the same kernel, centred unless the fit was not, with as many components.
Quality measure_quality(const Fit& fit, const Graph& graph, const std::vector<Samples>& shards,
                        const central_kpca::Fit& central, const RunOptions& run = {});

// The same from shards as they were before the fit preprocessed them. Fits all of them in one place; `note`
// is what that fit has to say, or empty.
struct CentralComparison {
  Quality quality;
  std::string note;
};
CentralComparison compare_with_central(const Fit& fit, const Graph& graph, std::vector<Samples> shards,
                                       Precision precision, const RunOptions& run = {});

}  // namespace choir::consensus_kpca
