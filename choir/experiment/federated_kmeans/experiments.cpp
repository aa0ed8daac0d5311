#include "choir/experiment/federated_kmeans/experiments.h"

#include "choir/experiment/federated_kmeans/privacy.h"

namespace choir {

std::vector<Experiment> federated_kmeans_experiments() {
  return {
      {"federated-kmeans/privacy", "exact samples out of what one device answers, with and without masks",
       federated_kmeans_privacy},
  };
}

}  // namespace choir
