// The experiments of federated-kmeans: the paper's four theorems, and whether samples stay private.
#pragma once

#include <vector>

#include "choir/experiment/experiment.h"

namespace choir {

std::vector<Experiment> federated_kmeans_experiments();

// One function a file.
ExperimentResult federated_kmeans_thm2(const ExperimentOptions& options);
ExperimentResult federated_kmeans_thm3(const ExperimentOptions& options);
ExperimentResult federated_kmeans_thm4(const ExperimentOptions& options);
ExperimentResult federated_kmeans_privacy(const ExperimentOptions& options);

}  // namespace choir
