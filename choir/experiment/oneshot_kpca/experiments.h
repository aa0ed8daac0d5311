// The experiments of oneshot-kpca: the paper's figures 2 and 3 and its table 2, and doing without a centre.
#pragma once

#include <vector>

#include "choir/experiment/experiment.h"

namespace choir {

std::vector<Experiment> oneshot_kpca_experiments();

// One function a file.
ExperimentResult oneshot_kpca_fig2(const ExperimentOptions& options);
ExperimentResult oneshot_kpca_fig3(const ExperimentOptions& options);
ExperimentResult oneshot_kpca_table2(const ExperimentOptions& options);
ExperimentResult oneshot_kpca_decentralised(const ExperimentOptions& options);

}  // namespace choir
