// A linear support vector machine for two classes (LIBLINEAR): how good features are for whoever classifies.
//
//   const LinearSvm svm = fit_linear_svm(features, labels, {.c = 5});
//   const double error = 1 - accuracy(truth, svm.predict(new_features));
//
// min_w,b (||w||^2 + b^2) / 2 + c sum_n max(0, 1 - y_n (w'x_n + b))^2, solved without random numbers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "choir/linalg/types.h"

namespace choir {

struct LinearSvmOptions {
  double c = 1;
  double tol = 1e-6;  // on the gradient, as a share of the first one
};

struct LinearSvm {
  Vector weights;                           // M
  double bias = 0;                          // b
  std::array<std::int64_t, 2> labels = {};  // where w'x + b is not positive, and where it is

  std::vector<std::int64_t> predict(const MatrixView<double>& samples) const;  // M x N -> N
};

// samples: M x N. Throws Error(InvalidArgument) unless there are N labels, of two different values.
LinearSvm fit_linear_svm(const MatrixView<double>& samples, std::span<const std::int64_t> labels,
                         const LinearSvmOptions& options);

}  // namespace choir
