// The paper's data: five classes in the plane, three Gaussians each, drawn anew for each seed.
//
//   const GaussianMixture mixture(seed);
//   const TargetedSamples test = mixture.draw(2500, seed, Purpose("test"));
//   mixture.bayes_accuracy(test);                         // nobody can expect more
//
// Labels are 0 to 4, and so are their places among the classes.
#pragma once

#include <cstdint>

#include "choir/base/rng.h"
#include "choir/data/stream.h"

namespace choir {

// Means are drawn about points of the unit circle with variance 1. The printed variance of a Gaussian, 0.2,
// cannot give the printed accuracy; it is read as a standard deviation.
class GaussianMixture {
 public:
  static constexpr Index class_count = 5;
  static constexpr Index gaussians = 3;  // of a class
  static constexpr double deviation = 0.2;

  explicit GaussianMixture(std::uint64_t seed);

  TargetedSamples draw(Index count, std::uint64_t seed, Purpose purpose) const;
  // Fills one sample and returns its label.
  double draw(Eigen::Ref<Vector> sample, Rng& random) const;
  // Share of the samples that the best of all classifiers gets right.
  double bayes_accuracy(const TargetedSamples& samples) const;

 private:
  Index most_likely(const VectorView<double>& sample) const;

  Samples means_;  // 2 x 15, those of a class side by side
};

}  // namespace choir
