// How far answers over shared features can be trusted: claims of similarity (learn/assessment/claim.h) from
// the features at hand.
//
//   const Vector halves = claims_from_halves(map, covariance, answer, random);
//   const AgreedClaims claims = co_await agreed_claims(node, answer, missed, halves);   // the same at all
//   nodes
#pragma once

#include "choir/base/rng.h"
#include "choir/learn/assessment/claim.h"
#include "choir/learn/features/feature_map.h"
#include "choir/linalg/types.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

// Per component, the smallest claim from two random halves of the landmarks, or of the random features.
// covariance: m x m, of the features of all samples.
Vector claims_from_halves(const FeatureMap& map, const Matrix& covariance, const GuardedAnswer& answer,
                          Rng random);

// What a node's own samples say about the part of the feature space that landmarks miss. kernel: N_j x N_j;
// psi: m x N_j; mean: m.
ResidualSums missed_by_landmarks(const GuardedAnswer& answer, const Vector& mean, const Matrix& psi,
                                 const Matrix& kernel);

struct AgreedClaims {
  Vector similarity;          // per component, the smaller of both claims
  double captured_share = 0;  // of the central components' variance
};
// From the sums over all nodes.
Task<AgreedClaims> agreed_claims(Node& node, GuardedAnswer answer, ResidualSums mine, Vector halves);

// Root mean square of psi_i'psi_j - k_ij over pairs of the same node, of all nodes: what random features get
// wrong.
// Without the means of rows and columns, which centring removes.
Task<double> agreed_kernel_error(Node& node, const Matrix& psi, const Matrix& kernel);

// What an error of that size in every entry leaves of components with these variances, which are the size of
// their own part of an entry. Errors spread over many directions: a quarter of them is counted.
Vector claims_despite_error(const Vector& variances, double error);

}  // namespace choir
