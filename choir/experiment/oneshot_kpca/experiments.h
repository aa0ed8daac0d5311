// The experiments of oneshot-kpca: the paper's figures 2 and 3 and its table 2, and doing without a centre.
#pragma once

#include <vector>

#include "choir/experiment/experiment.h"

namespace choir {

std::vector<Experiment> oneshot_kpca_experiments();

// Each in a file of its own.
ExperimentFunction oneshot_kpca_fig2, oneshot_kpca_fig3, oneshot_kpca_table2, oneshot_kpca_decentralised;

}  // namespace choir
