// FEA: leading eigenvectors of a kernel matrix from random features that are drawn anew in every iteration.
//
//   const double eta = fea_step(t);
//   const Matrix w = stage_input(eta, z, b);                       // W', n x N; model/cluster_model.h
//   ... V s V' = sum over devices of W'W ...
//   const Matrix map = shrunk_map(spectrum, {.eta = eta, .lambda = lambda, .rank = 20});
//   b = map' w
//
// A proximal step: eigenvalues shrink by eta lambda, and those that fall below 0 are left out with all but
// the leading `rank`.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "choir/kernel/kernel.h"
#include "choir/linalg/eigen.h"
#include "choir/linalg/types.h"
#include "choir/model/cluster_model.h"

namespace choir::federated_kmeans {

double fea_step(Index t);  // eta_t = min(1, 2 / t), t = 1, 2, ...

// lambda: eigenvalue number rank + 1, 0 if there are fewer.
double fea_threshold(const Vector& eigenvalues, Index rank);

struct FeaShrinkage {
  double eta = 1;
  double lambda = 0;
  Index rank = 1;  // r_max
};
// T = V diag(sqrt(1 - eta lambda / s)) over the eigenvalues s > eta lambda, n x (at most rank). Throws
// Error(Numerical) if there is none.
Matrix shrunk_map(const EigenPairs& spectrum, const FeaShrinkage& shrinkage);

// Everything in one place: what the federated form is compared with.
struct CentralFeaOptions {
  Index random_features = 400;  // D
  Index iterations = 10;        // T
  Index rank = 20;
  double lambda = 0;  // 0: fea_threshold() of the first iteration
  std::uint64_t seed = 0;
  bool one_draw = false;  // the features of the first iteration in all of them, to see what new ones are for
  std::function<void(Index t, const Matrix& b)> observe = {};  // b: r x N, after iteration t
};
std::vector<FeatureStage> central_fea(const Samples& samples, const Kernel& kernel,
                                      const CentralFeaOptions& options);

// The random features of iteration t; every device draws the same.
RandomFeaturesOptions fea_draw(Index count, std::uint64_t seed, Index t);

}  // namespace choir::federated_kmeans
