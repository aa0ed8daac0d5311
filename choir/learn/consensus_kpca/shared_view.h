// What the directions of nodes look like from the shared answer: directions over different samples are
// compared in the landmarks that all nodes share.
//
//   const Matrix seen = in_landmark_features(view, shards, c);      // z_j: m x columns
//   const double agreement = agreement_with(shared.answer, seen);   // how much of the shared answer it spans
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

// Per component of the shared answer, the smallest cosine between its group and the same group of a node's
// directions (m x D), of all nodes.
Task<Vector> agreed_cosines(Node& node, GuardedAnswer answer, Matrix seen);

// What can be said about answers with these cosines to the shared one, for which `claims` is claimed. The
// errors of the two are taken to be independent: then cos(z, u) = cos(z, w) cos(u, w), w the central
// direction. What is claimed for z is less than that, cos(z, u) cos(u, w): it holds where z merely repeats
// the error of u, too.
Vector claims_beside(const Vector& cosines, const Vector& claims);
// Whether the error of z, by the best guess cos(z, u) / cos(u, w) of cos(z, w), is at most half of what is
// claimed for u in its weakest component, and z still has a claim.
bool is_better_beside(const Vector& cosines, const Vector& claims);

}  // namespace choir::consensus_kpca
