#include "choir/experiment/online_kernel/experiments.h"

namespace choir {

std::vector<Experiment> online_kernel_experiments() {
  return {
      {"online-kernel/fig1", "objective, disagreement and model order against samples (the paper's figure 1)",
       online_kernel_fig1},
      {"online-kernel/fig2", "samples and what one node says of the plane (figure 2)", online_kernel_fig2},
      {"online-kernel/skew", "nodes that see two of five classes", online_kernel_skew},
      {"online-kernel/drift", "labels change their meaning midway", online_kernel_drift},
      {"online-kernel/regression", "values, nodes that see a strip of the plane", online_kernel_regression},
      {"online-kernel/stability", "a penalty that doubles for ever, with its cap", online_kernel_stability},
      {"online-kernel/mnist", "MNIST at five nodes, all digits or two at a node", online_kernel_mnist},
      {"online-kernel/memory", "resident memory along a million samples a node", online_kernel_memory},
  };
}

}  // namespace choir
