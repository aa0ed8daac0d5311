// The digits 0, 3, 5 and 8 of the data set in the repository, dealt out to nodes, and a fit of them.
#pragma once

#include <vector>

#include "choir/learn/consensus_kpca/consensus_kpca.h"
#include "choir/learn/consensus_kpca/quality.h"
#include "choir/runtime/engines.h"

namespace choir::testing_digits {

struct Digits {
  std::vector<Samples> shards;
  Graph graph;

  // `labels_a_node` digits at each node, in equal counts.
  Digits(Index nodes, Index each, Index labels_a_node = 4, const char* topology = "ring:4");

  Samples pooled() const;
  central_kpca::Fit central(Index components, bool centre = true) const;
};

// gamma 2e-7, samples shared, a fixed number of iterations.
consensus_kpca::Options fixed_length(Index components, Index iterations);

consensus_kpca::Fit fit(const Digits& digits, const consensus_kpca::Options& options,
                        const RunOptions& run = {}, int threads = 1, const consensus_kpca::Study& study = {});

// Means over nodes.
Vector mean_of(const Matrix& by_node);

}  // namespace choir::testing_digits
