// The experiments of consensus-kpca: the paper's figures 3 to 5, and questions of our own.
#pragma once

#include <vector>

#include "choir/experiment/experiment.h"

namespace choir {

std::vector<Experiment> consensus_kpca_experiments();

// Each in a file of its own.
ExperimentFunction consensus_kpca_fig3, consensus_kpca_fig4, consensus_kpca_fig5, consensus_kpca_skew,
    consensus_kpca_components, consensus_kpca_scale, consensus_kpca_centring, consensus_kpca_noise;

}  // namespace choir
