#include "choir/cli/fit_methods.h"

namespace choir::cli {

void add_fit_command(CLI::App& app, Session& session) {
  CLI::App* fit = app.add_subcommand("fit", "learn from data and write a run folder");
  fit->require_subcommand(1);
  add_fit_central_kpca(*fit, session);
  add_fit_local_kpca(*fit, session);
  add_fit_consensus_kpca(*fit, session);
  add_fit_gossip_pca(*fit, session);
  add_fit_oneshot_kpca(*fit, session);
  add_fit_online_kernel(*fit, session);
  add_fit_federated_kmeans(*fit, session);
}

}  // namespace choir::cli
