// Kernel PCA with all samples in one place: the truth every decentralised method is compared with, and
// what a user with one machine wants anyway.
//
//   const central_kpca::Options options{.kernel = kernel, .n_components = {.count = 10}};
//   const central_kpca::Fit fit = fit_central_kpca(samples, options);
//   const Matrix scores = fit.model.transform(new_samples);
//   const double off = fit.converged ? 0 : fit.residual;
//
// H K H v = lambda v, H = I - 11'/N; component d is w_d = sum_n (H v_d)_n phi(x_n) / sqrt(lambda_d).
// Memory: one triangle of K, nothing square. If that does not fit either, the tiles of K are recomputed
// in every product and `note` says how to avoid that: landmarks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "choir/base/choices.h"
#include "choir/kernel/centring.h"
#include "choir/kernel/kernel.h"
#include "choir/learn/assessment/assessment.h"
#include "choir/learn/components.h"
#include "choir/linalg/precision.h"
#include "choir/linalg/types.h"
#include "choir/model/kernel_model.h"
#include "choir/runtime/contract.h"

namespace choir {

enum class GramStorage { automatic, stored, recomputed };
ChoiceNames<GramStorage> choice_names(GramStorage);  // "auto", "stored", "recomputed"

namespace central_kpca {

struct Options {
  Kernel kernel = {};
  ComponentChoice n_components = {};
  bool centre = true;
  Precision precision = Precision::float64;  // of the kernel matrix and the eigensolver
  double tol = 1e-8;      // on the residual ||K_c v - l v|| / l_1; single precision stops at 2e-6
  Index max_iter = 100;   // restarts of the eigensolver
  Index n_landmarks = 0;  // 0: exact; otherwise Nystroem on that many k-means centres
  GramStorage gram = GramStorage::automatic;
  std::uint64_t memory_limit = 0;  // bytes; 0: what is available
};

struct Fit {
  KernelModel model;
  Matrix scores;      // N x D, of the training samples; what model.transform gives for them
  Centring centring;  // of the training samples; empty if centre is off or landmarks were used
  bool converged = true;
  double residual = 0;
  Index products = 0;                    // columns multiplied by K
  std::string note;                      // empty, or a sentence the user should read
  std::optional<Assessment> assessment;  // of landmarks: how much they may have missed
  double gram_seconds = 0;
  double eigen_seconds = 0;
};

}  // namespace central_kpca

// Of the run's options, seed, threads and watch count. Throws Error(InvalidArgument) for constant data, a bad
// kernel, or more components than the data have; Error(OutOfMemory) if gram = stored does not fit.
central_kpca::Fit fit_central_kpca(const SamplesView& samples, const central_kpca::Options& options,
                                   const RunOptions& run = {});

}  // namespace choir
