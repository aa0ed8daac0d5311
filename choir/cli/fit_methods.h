// One function per method: adds `choir fit METHOD` with its options.
#pragma once

#include <CLI/CLI.hpp>

#include "choir/cli/commands.h"

namespace choir::cli {

void add_fit_central_kpca(CLI::App& fit, Session& session);
void add_fit_consensus_kpca(CLI::App& fit, Session& session);
void add_fit_federated_kmeans(CLI::App& fit, Session& session);
void add_fit_gossip_pca(CLI::App& fit, Session& session);
void add_fit_local_kpca(CLI::App& fit, Session& session);
void add_fit_oneshot_kpca(CLI::App& fit, Session& session);
void add_fit_online_kernel(CLI::App& fit, Session& session);

}  // namespace choir::cli
