// The experiments of consensus-kpca: the paper's figures 3 to 5, and questions of our own.
#pragma once

#include <vector>

#include "choir/experiment/experiment.h"

namespace choir {

std::vector<Experiment> consensus_kpca_experiments();

// One function a file.
ExperimentResult consensus_kpca_fig3(const ExperimentOptions& options);
ExperimentResult consensus_kpca_fig4(const ExperimentOptions& options);
ExperimentResult consensus_kpca_fig5(const ExperimentOptions& options);
ExperimentResult consensus_kpca_skew(const ExperimentOptions& options);
ExperimentResult consensus_kpca_components(const ExperimentOptions& options);
ExperimentResult consensus_kpca_scale(const ExperimentOptions& options);
ExperimentResult consensus_kpca_centring(const ExperimentOptions& options);
ExperimentResult consensus_kpca_noise(const ExperimentOptions& options);

}  // namespace choir
