// The experiments of online-kernel: the paper's figures 1 and 2, and questions of our own.
#pragma once

#include <vector>

#include "choir/experiment/experiment.h"

namespace choir {

std::vector<Experiment> online_kernel_experiments();

// One function a file.
ExperimentResult online_kernel_fig1(const ExperimentOptions& options);
ExperimentResult online_kernel_fig2(const ExperimentOptions& options);
ExperimentResult online_kernel_skew(const ExperimentOptions& options);
ExperimentResult online_kernel_drift(const ExperimentOptions& options);
ExperimentResult online_kernel_regression(const ExperimentOptions& options);
ExperimentResult online_kernel_stability(const ExperimentOptions& options);
ExperimentResult online_kernel_mnist(const ExperimentOptions& options);
ExperimentResult online_kernel_memory(const ExperimentOptions& options);

}  // namespace choir
