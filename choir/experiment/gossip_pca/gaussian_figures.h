// What figures 1 to 3 share: 10,000 Gaussian samples of rank 30 in 200 dimensions, on 100 nodes that all know
// each other.
#pragma once

#include <string>
#include <vector>

#include "choir/experiment/gossip_pca/convergence.h"

namespace choir {

GaussianSpec gaussian_of(const ExperimentOptions& options);

// Methods side by side on that network.
Measurements compare_on_gaussian(const ExperimentOptions& options, const std::string& stage,
                                 const std::vector<GossipMethod>& methods);

// A reader of figures 1 to 3 must know.
std::string note_about_the_mean();
// The errors E, their chart, and that note.
ExperimentResult error_figure(const Measurements& seen, const LineChart& chart);

}  // namespace choir
