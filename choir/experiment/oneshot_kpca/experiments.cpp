#include "choir/experiment/oneshot_kpca/experiments.h"

namespace choir {

std::vector<Experiment> oneshot_kpca_experiments() {
  return {
      {"oneshot-kpca/fig2", "error against the number of parties (the paper's figure 2)", oneshot_kpca_fig2},
      {"oneshot-kpca/fig3", "error and traffic against the number of samples, uneven parties (figure 3)",
       oneshot_kpca_fig3},
      {"oneshot-kpca/table2", "a linear classifier on kernel principal components (table 2)",
       oneshot_kpca_table2},
      {"oneshot-kpca/decentralised", "a tree and gossip in place of the centre, directions carried",
       oneshot_kpca_decentralised},
  };
}

}  // namespace choir
