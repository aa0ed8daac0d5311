#include "choir/experiment/consensus_kpca/experiments.h"

namespace choir {

std::vector<Experiment> consensus_kpca_experiments() {
  return {
      {"consensus-kpca/fig3", "similarity and running time as the network grows (the paper's figure 3)",
       consensus_kpca_fig3},
      {"consensus-kpca/fig4", "similarity as the nodes' shards grow (the paper's figure 4)",
       consensus_kpca_fig4},
      {"consensus-kpca/fig5", "similarity after each iteration, for more and more neighbours (figure 5)",
       consensus_kpca_fig5},
      {"consensus-kpca/skew", "what happens when nodes see one, two or all digits", consensus_kpca_skew},
      {"consensus-kpca/components", "ten components, with and without sharing samples",
       consensus_kpca_components},
      {"consensus-kpca/centring", "three ways to centre, on like and on unlike nodes",
       consensus_kpca_centring},
      {"consensus-kpca/noise", "what noise on exchanged samples costs", consensus_kpca_noise},
      {"consensus-kpca/scale", "time per node and memory from 100 to 10,000 nodes", consensus_kpca_scale},
  };
}

}  // namespace choir
