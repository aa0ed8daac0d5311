// The experiments of federated-kmeans.
#pragma once

#include <vector>

#include "choir/experiment/experiment.h"

namespace choir {

std::vector<Experiment> federated_kmeans_experiments();

}  // namespace choir
