// The experiments of online-kernel: the paper's figures 1 and 2, and questions of our own.
#pragma once

#include <vector>

#include "choir/experiment/experiment.h"

namespace choir {

std::vector<Experiment> online_kernel_experiments();

// Each in a file of its own.
ExperimentFunction online_kernel_fig1, online_kernel_fig2, online_kernel_skew, online_kernel_drift,
    online_kernel_regression, online_kernel_stability, online_kernel_mnist, online_kernel_memory;

}  // namespace choir
