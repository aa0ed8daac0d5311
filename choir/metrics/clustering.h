// How well a clustering agrees with the truth. The names of the clusters do not matter.
//
//   normalized_mutual_info(truth, clusters)      // 0 .. 1, arithmetic mean of the entropies
//   adjusted_rand_index(truth, clusters)         // 1: the same; 0 on average for chance
//   clustering_accuracy(truth, clusters)         // share right under the best naming of the clusters
//
// The first two equal scikit-learn's scores. All throw Error(InvalidArgument) if the two lengths differ or
// are zero.
#pragma once

#include "choir/metrics/classification.h"

namespace choir {

double normalized_mutual_info(Labels truth, Labels predicted);
double adjusted_rand_index(Labels truth, Labels predicted);
// Each cluster stands for at most one label and each label for at most one cluster (Hungarian method).
double clustering_accuracy(Labels truth, Labels predicted);

}  // namespace choir
