#include "choir/experiment/gossip_pca/experiments.h"

namespace choir {

std::vector<Experiment> gossip_pca_experiments() {
  return {
      {"gossip-pca/fig1", "error against messages, as many directions as coordinates (the paper's figure 1)",
       gossip_pca_fig1},
      {"gossip-pca/fig2", "error against messages, as many directions as the data have (figure 2)",
       gossip_pca_fig2},
      {"gossip-pca/fig3", "error against messages, fewer directions than the data have (figure 3)",
       gossip_pca_fig3},
      {"gossip-pca/fig4", "error against messages on MNIST, 3 to 75 directions (figure 4)", gossip_pca_fig4},
      {"gossip-pca/fig5", "messages until converged as the network grows (figure 5)", gossip_pca_fig5},
      {"gossip-pca/fig6", "error against messages when coordinates are divided (figure 6)", gossip_pca_fig6},
      {"gossip-pca/fig7", "messages until converged on various networks and schedules (figure 7)",
       gossip_pca_fig7},
      {"gossip-pca/skew", "how many directions to carry, for like nodes and for nodes that see one digit",
       gossip_pca_skew},
      {"gossip-pca/loss", "lost messages, with and without acknowledgements", gossip_pca_loss},
      {"gossip-pca/crash", "a tenth of the nodes crash on the way", gossip_pca_crash},
      {"gossip-pca/join", "a tenth of the nodes join late", gossip_pca_join},
      {"gossip-pca/drift", "samples that keep coming while their subspace turns", gossip_pca_drift},
      {"gossip-pca/kernel", "kernel PCA without sending a sample", gossip_pca_kernel},
      {"gossip-pca/scale", "time and memory of 1,000 simulated nodes", gossip_pca_scale},
  };
}

}  // namespace choir
