// The experiments of federated-kmeans: the paper's four theorems, and whether samples stay private.
#pragma once

#include <vector>

#include "choir/experiment/experiment.h"

namespace choir {

std::vector<Experiment> federated_kmeans_experiments();

// Each in a file of its own.
ExperimentFunction federated_kmeans_thm2, federated_kmeans_thm3, federated_kmeans_thm4,
    federated_kmeans_privacy;

}  // namespace choir
