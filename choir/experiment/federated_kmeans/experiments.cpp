#include "choir/experiment/federated_kmeans/experiments.h"

namespace choir {

std::vector<Experiment> federated_kmeans_experiments() {
  return {
      {"federated-kmeans/thm2",
       "fea's error against iterations, with features drawn anew or once (theorems 1, 2)",
       federated_kmeans_thm2},
      {"federated-kmeans/thm3", "numbers sent for eigenvectors, by route (theorem 3)", federated_kmeans_thm3},
      {"federated-kmeans/thm4", "cost and agreement of clusters, skewed and silent devices (theorem 4)",
       federated_kmeans_thm4},
      {"federated-kmeans/privacy", "exact samples out of what one device answers, with and without masks",
       federated_kmeans_privacy},
  };
}

}  // namespace choir
