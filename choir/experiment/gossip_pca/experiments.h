// The experiments of gossip-pca: the paper's figures 1 to 7, and questions of our own.
#pragma once

#include <vector>

#include "choir/experiment/experiment.h"

namespace choir {

std::vector<Experiment> gossip_pca_experiments();

// Each in a file of its own.
ExperimentFunction gossip_pca_fig1, gossip_pca_fig2, gossip_pca_fig3, gossip_pca_fig4, gossip_pca_fig5,
    gossip_pca_fig6, gossip_pca_fig7, gossip_pca_skew, gossip_pca_loss, gossip_pca_crash, gossip_pca_join,
    gossip_pca_drift, gossip_pca_kernel, gossip_pca_scale;

}  // namespace choir
