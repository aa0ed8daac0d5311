// PCA with all samples in one place, on whichever side of the data is smaller.
//
//   central_pca::Fit fit = fit_central_pca(samples, {.n_components = {.count = 10}});
//
// The same answer as kernel PCA with a linear kernel, in a model that carries no sample.
#pragma once

#include "choir/learn/components.h"
#include "choir/model/linear_model.h"
#include "choir/runtime/contract.h"

namespace choir {

namespace central_pca {

struct Options {
  ComponentChoice n_components = {};
  double tol = 1e-8;
  Index max_iter = 100;
};

struct Fit {
  LinearModel model;
  Matrix scores;  // N x D
  bool converged = true;
  double residual = 0;
};

}  // namespace central_pca

// Of the run's options, seed and watch count.
central_pca::Fit fit_central_pca(const SamplesView& samples, const central_pca::Options& options,
                                 const RunOptions& run = {});

}  // namespace choir
