// PCA with all samples in one place, on whichever side of the data is smaller.
//
//   CentralPca fit = central_pca(samples, {.components = {.count = 10}});
//
// The same answer as kernel PCA with a linear kernel, in a model that carries no sample.
#pragma once

#include "choir/base/progress.h"
#include "choir/learn/components.h"
#include "choir/model/linear_model.h"

namespace choir {

struct CentralPcaOptions {
  ComponentChoice components = {};
  double tol = 1e-8;
  Index max_iter = 100;
  std::uint64_t seed = 0;
  int threads = 1;
  Watch watch = {};
};

struct CentralPca {
  LinearModel model;
  Matrix scores;  // N x D
  bool converged = true;
  double residual = 0;
};

CentralPca central_pca(const Samples& samples, const CentralPcaOptions& options);

}  // namespace choir
