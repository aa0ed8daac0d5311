// The experiments of gossip-pca: the paper's figures 1 to 7, and questions of our own.
#pragma once

#include <vector>

#include "choir/experiment/experiment.h"

namespace choir {

std::vector<Experiment> gossip_pca_experiments();

// One function a file.
ExperimentResult gossip_pca_fig1(const ExperimentOptions& options);
ExperimentResult gossip_pca_fig2(const ExperimentOptions& options);
ExperimentResult gossip_pca_fig3(const ExperimentOptions& options);
ExperimentResult gossip_pca_fig4(const ExperimentOptions& options);
ExperimentResult gossip_pca_fig5(const ExperimentOptions& options);
ExperimentResult gossip_pca_fig6(const ExperimentOptions& options);
ExperimentResult gossip_pca_fig7(const ExperimentOptions& options);
ExperimentResult gossip_pca_skew(const ExperimentOptions& options);
ExperimentResult gossip_pca_loss(const ExperimentOptions& options);
ExperimentResult gossip_pca_crash(const ExperimentOptions& options);
ExperimentResult gossip_pca_join(const ExperimentOptions& options);
ExperimentResult gossip_pca_drift(const ExperimentOptions& options);
ExperimentResult gossip_pca_kernel(const ExperimentOptions& options);
ExperimentResult gossip_pca_scale(const ExperimentOptions& options);

}  // namespace choir
