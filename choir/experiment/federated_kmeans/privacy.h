// Its own header, beside the method's other experiments.
#pragma once

#include "choir/experiment/experiment.h"

namespace choir {

ExperimentResult federated_kmeans_privacy(const ExperimentOptions& options);

}  // namespace choir
