// What the directions of nodes look like from the shared answer: directions over different samples are
// compared in the landmarks that all nodes share.
//
//   const Matrix seen = in_landmark_features(view, shards, c);              // z_j: m x columns
//   const double agreement = agreement_with(shared.answer, seen);            // how much of the shared answer
//   lies in its span
#pragma once

#include <vector>

#include "choir/kernel/kernel.h"
#include "choir/learn/assessment/claim.h"
#include "choir/learn/features/landmarks.h"
#include "choir/linalg/types.h"
#include "choir/runtime/array.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::consensus_kpca {

struct LandmarkView {
  SharedLandmarks landmarks;
  Kernel kernel;
  Vector own_mean;    // m: of the features of all samples
  Vector shown_mean;  // m: of all samples as they were sent; the same without noise
};

// sum_n c_n (f(x_n) - mean): m x columns; the node's own samples come first and are seen from another mean
// than those that came with noise.
Matrix in_landmark_features(const LandmarkView& view, const std::vector<Array>& shards,
                            const Matrix& coefficients);

// The mean over the answer's components of the squared length of its projection on the directions' span; 0
// where these are no numbers. `seen`: m x columns, of orthonormal directions.
double agreement_with(const GuardedAnswer& answer, const Matrix& seen);

// Per component of the shared answer, the smallest cosine between its group and the same group of the node's
// directions (m x D), of all nodes, times what is claimed for the shared answer itself: errors of the two are
// taken to be independent.
Task<Vector> agreed_claims_beside(Node& node, GuardedAnswer answer, Vector claims, Matrix seen);

}  // namespace choir::consensus_kpca
