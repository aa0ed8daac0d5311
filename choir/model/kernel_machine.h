// A function learned from targets: f(x) = sum_n w_n k(p_n, x) + b, one column of weights per class, or one
// for a value. Or w'psi(x) + b over random features psi, which are drawn from a seed whenever they are
// needed, as in feature_model.h; then there are no points.
//
//   Matrix scores = machine.decide(samples);                 // N x K
//   Vector answer = machine.predict(samples);                // N: labels, or values
//   Matrix chances = machine.probabilities(samples);         // N x K, logistic loss only
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "choir/kernel/kernel.h"
#include "choir/kernel/random_features.h"
#include "choir/linalg/types.h"
#include "choir/model/preprocessing.h"

namespace choir {

struct KernelMachine {
  Kernel kernel = {};
  Preprocessing preprocessing = {};
  Samples points = {};  // M x P, after preprocessing; M x 0 with random features
  std::optional<RandomFeaturesOptions> random_features = {};  // nothing: the points
  Matrix weights = {};                                        // P x K, or m x K
  Vector intercept = {};                                      // K; empty: none
  std::string loss = {};                                      // "logistic", "hinge", "squared", "huber"
  std::vector<std::int64_t> classes = {};                     // K, ascending; empty: values, K = 1
  std::vector<std::string> class_names = {};  // K words; empty: the classes are their own names
  std::uint64_t training_samples = 0;         // that it has seen

  Index features() const { return points.rows(); }
  Index outputs() const { return weights.cols(); }
  bool has_probabilities() const { return loss == "logistic"; }

  // Throw Error(InvalidArgument) if the samples have another number of features.
  Matrix decide(const SamplesView& samples, int threads = 1) const;
  Vector predict(const SamplesView& samples,
                 int threads = 1) const;  // the class of the largest score, the first of equals
  // Of the class `label`, which is one of the classes.
  std::string name_of(std::int64_t label) const;
  // Rows add up to 1. Throws Error(InvalidArgument) for other losses than logistic.
  Matrix probabilities(const SamplesView& samples, int threads = 1) const;
};

}  // namespace choir
