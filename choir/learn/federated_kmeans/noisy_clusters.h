// k-means from noisy totals. Nothing here sees a sample: seeds come from a noisy mean and a public seed,
// centres from noisy sums, so all of it is post-processing.
//
//   const Vector mean = noisy_mean(total, samples);
//   NoisyClusters clusters(mean, {.clusters = k, .seed = seed});
//   clusters.move(total, sigma);                        // of the samples nearest to clusters.centres()
//   clusters.centres();
#pragma once

#include "choir/learn/federated_kmeans/seeding.h"
#include "choir/linalg/types.h"

namespace choir::federated_kmeans {

// What a device answers: (r + 1) x k, a column for each centre, sums of the samples that are nearest to it
// above how many they are. No sample's features count as longer than 1, whoever made them; features that are
// not finite, which a server can bring about for chosen samples by a huge gamma, count as 0: an error would
// tell it of them.
Matrix sums_of_clusters(const Matrix& features, const Matrix& centres);

// Of the total for a single centre; no longer than 1, as means of features are.
Vector noisy_mean(const Matrix& total, double samples);

class NoisyClusters {
 public:
  // k seeds about the mean, in random directions of equal length: such centres divide the samples evenly,
  // wherever the mean is. Seeds about the origin all go to those that lie towards the mean.
  NoisyClusters(const Vector& mean, const StartOptions& options);

  const Matrix& centres() const { return centres_; }  // r x k
  const Vector& counts() const { return counts_; }    // k: noisy, whole numbers, not below 0

  // Centre = noisy sum / noisy count, moved towards the mean by the share of its squared distance that noise
  // accounts for (James and Stein), and not longer than 1. A cluster of fewer samples than the noise deviates
  // by keeps its centre. `sigma`: of the noise in each entry.
  void move(const Matrix& total, double sigma);

 private:
  Vector moved(const Vector& noisy, double count, double sigma) const;

  Vector mean_;
  Matrix centres_;
  Vector counts_;
};

}  // namespace choir::federated_kmeans
