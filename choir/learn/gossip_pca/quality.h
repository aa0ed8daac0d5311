// How close the nodes came to PCA of all samples in one place. Needs all of them: for experiments and
// --yardsticks.
//
//   const gossip_pca::Yardstick yardstick(all_samples, 10);      // preprocessed; features in kernel form
//   const gossip_pca::Quality quality = yardstick.measure(fit);
//
// E = mean over nodes of ||U_q L_q U_q'/w - C||_F^2 / ||C||_F^2; E* = sum over k > q of l_k^2 / sum l_k^2: no
// q directions do better.
#pragma once

#include <vector>

#include "choir/learn/gossip_pca/gossip_pca.h"

namespace choir::gossip_pca {

struct Quality {
  std::vector<double> error;  // E of each node; NaN where it has no result
  std::vector<std::vector<double>>
      error_after;                 // E - E* of each node at the start and after each window, if kept
  double error_relative = 0;       // E
  double excess_error = 0;         // (E - E*) / E*; infinite if E* is 0
  double mean_error = 0;           // largest ||mean - mu|| / ||mu|| of a node (||mu|| > 0; else / sqrt(tr C))
  double subspace_cosine_min = 0;  // mean over nodes of the smallest cosine to the central subspace
  double mass = 0;                 // all nodes' weight by that of all samples: 1 unless something was lost
};

class Yardstick {
 public:
  // samples: D x N. coordinates: give X transposed and row-centred, N x D (columns are rows of X).
  Yardstick(const MatrixView<double>& samples, Index q, bool centre = true);

  double best_error() const { return best_error_; }           // E*
  const Vector& eigenvalues() const { return eigenvalues_; }  // of C, all, descending
  const Matrix& directions() const { return directions_; }    // D x q
  const Vector& mean() const { return mean_; }
  const Matrix& covariance() const { return covariance_; }

  double error(const Principal& principal) const;  // of one node's answer
  double mean_error(const Vector& mean) const;
  Quality measure(const Fit& fit) const;

 private:
  Matrix covariance_;
  Vector eigenvalues_;
  Matrix directions_;
  Vector mean_;
  double norm_ = 0;  // ||C||_F^2
  double best_error_ = 0;
  double weight_ = 0;
};

// Of a fit whose nodes are all in this process, from their shards as they were before the fit and its
// options. The yardstick sees all samples as the nodes preprocessed and mapped them; of coordinates, which
// every node preprocesses for itself, all centred rows.
Quality measure_quality(const Fit& fit, std::vector<Samples> shards, const Options& options);

}  // namespace choir::gossip_pca
