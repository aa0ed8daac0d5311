// Losses of scores against targets: values and gradients, a row a sample. Pure mathematics.
#pragma once

#include <cstdint>
#include <vector>

#include "choir/learn/online_kernel/options.h"
#include "choir/linalg/types.h"

namespace choir::online_kernel {

struct LossGradient {
  Matrix gradient;  // B x K: d loss / d f
  double mean = 0;  // loss, over the batch
};

// `targets`: B; places in `classes` for classification, values otherwise.
// logistic: softmax and cross entropy; hinge: Crammer and Singer; squared: (f - y)^2 / 2; huber.
LossGradient loss_gradient(Loss loss, const Matrix& scores, const Vector& targets, double huber_width = 1);

// The largest second derivative along any direction of f: eta mu_1 times this must stay below 2. Zero for
// hinge, whose gradients do not grow with f.
double curvature(Loss loss);

// Of the samples whose largest score is not their class's; `targets` are places.
double share_of_mistakes(const Matrix& scores, const Vector& targets);

// Places of labels in `classes`. Throws Error(BadData) naming a label that is not among them.
Vector places_of(const Vector& labels, const std::vector<std::int64_t>& classes);

}  // namespace choir::online_kernel
