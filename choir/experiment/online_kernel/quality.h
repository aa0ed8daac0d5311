// How good the functions of the nodes are.
//
//   const OverNodes right = accuracy(states_of(fit), test);
//   right.mean / bayes, right.worst / bayes;
#pragma once

#include <vector>

#include "choir/data/stream.h"
#include "choir/graph/graph.h"
#include "choir/learn/online_kernel/online_kernel.h"

namespace choir {

struct OverNodes {
  double mean = 0;
  double worst = 0;
};

std::vector<online_kernel::State> states_of(const online_kernel::Fit& fit);

// Share of the samples whose largest score is their class's; targets are places among the classes.
OverNodes accuracy(const std::vector<online_kernel::State>& nodes, const TargetedSamples& test);
// Root of the mean squared error of the values.
OverNodes rmse(const std::vector<online_kernel::State>& nodes, const TargetedSamples& test);

// The paper's figure 1: over nodes, the mean logistic loss of the samples with lambda/2 ||f||^2, summed.
double objective(const std::vector<online_kernel::State>& nodes, const TargetedSamples& samples,
                 double lambda);
// Over edges, ||f_i - f_j||_H^2, summed.
double disagreement(const std::vector<online_kernel::State>& nodes, const Graph& graph);
OverNodes model_order(const std::vector<online_kernel::State>& nodes);  // worst: the largest
// The largest absolute score of any sample at any node.
double largest_score(const std::vector<online_kernel::State>& nodes, const TargetedSamples& samples);

}  // namespace choir
