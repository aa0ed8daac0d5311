// How far answers over shared features can be trusted: claims of similarity (learn/assessment/claim.h) from
// the features at hand.
//
//   const Vector halves = claims_from_halves(map, covariance, answer, random);
//   const AgreedClaims claims = co_await agreed_claims(node, sums, answer, missed, halves);   // the same
//   at all nodes
#pragma once

#include <string>

#include "choir/base/rng.h"
#include "choir/learn/assessment/claim.h"
#include "choir/learn/components.h"
#include "choir/learn/features/feature_map.h"
#include "choir/linalg/types.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

// Whether every matrix of the kernel is one of inner products. Where it may not be, landmarks take the
// positive part of theirs, and what they miss of a sample has no length: halves alone make a claim.
bool is_inner_product(const Kernel& kernel);
// Throws Error(InvalidArgument) if a share of variance is asked of a kernel that is none: eigenvalues of its
// positive part are no share of anything that the nodes know.
void require_variances(const Kernel& kernel, const ComponentChoice& choice);

// Per component, the smallest claim from two random halves of the landmarks, or of the random features; of
// these also from their frequencies. covariance: m x m, of the features of all samples.
Vector claims_from_halves(const FeatureMap& map, const Matrix& covariance, const GuardedAnswer& answer,
                          Rng random);

// Of a kernel that is no inner product: how similar components of the positive part are to those of the whole
// matrix, on the landmarks themselves. Negative directions that are coupled with positive ones turn them.
Vector claims_despite_negative_part(const Kernel& kernel, const MatrixView<double>& landmarks,
                                    const GuardedAnswer& answer);
// The magnitude of the negative eigenvalues, as a share of that of all.
double negative_share(const Kernel& kernel, const MatrixView<double>& points);
// The sentence that tells of it.
std::string words_of_negative_part(const Kernel& kernel, const MatrixView<double>& landmarks);

// Random features are a mean over frequencies drawn at random, so their spread shows how far another draw
// would have turned component a towards b: with t_f the part of frequency f in u_a'u_b, by the root of l_a
// l_b sum t_f^2, over the gap less its own standard deviation. Components are judged one by one: which of
// them form a group is as uncertain. README.md beside this has the figures.
Vector claims_from_frequencies(const GuardedAnswer& answer);

// What a node's own samples say about the part of the feature space that landmarks miss. kernel: N_j x N_j;
// psi: m x N_j; mean: m.
ResidualSums missed_by_landmarks(const GuardedAnswer& answer, const Vector& mean, const Matrix& psi,
                                 const Matrix& kernel);

// The same from some of the samples, 1,000 at most and evenly spaced: kernel matrices of more would be large.
// samples: M x N_j, of which psi are the features.
ResidualSums missed_of_some(const Kernel& kernel, const GuardedAnswer& answer, const Vector& mean,
                            const MatrixView<double>& samples, const MatrixView<double>& psi);

// The smaller of both claims, from the sums over all nodes, packed; and the share of the central components'
// variance that is captured.
Vector claims_from_sums(const GuardedAnswer& answer, const Matrix& sums, const Vector& halves);
double share_from_sums(const GuardedAnswer& answer, const Matrix& sums);

struct AgreedClaims {
  Vector similarity;          // per component
  double captured_share = 0;  // 0: not known
};
Task<AgreedClaims> agreed_claims(Node& node, SecureSums& sums, GuardedAnswer answer, ResidualSums mine,
                                 Vector halves);

// What helps against weak claims over so many landmarks: more of them, if there can be more.
std::string advice_of_landmarks(Index landmarks, Index samples);

// Root mean square of psi_i'psi_j - k_ij over pairs of the same node, of all nodes: what random features get
// wrong.
// Without the means of rows and columns, which centring removes; what it removes of independent errors is
// put back.
double kernel_error(const Matrix& sums);  // from the sums over all nodes; 0 where no node has two samples
// The mean error of so many random features is not larger, whatever the samples: cos(w'd), w random, has a
// variance of 1/2 at most, and every frequency has a cosine and a sine.
double largest_kernel_error(Index features);
// What is counted of so many random features: few pairs show too little of the error by chance, so two
// standard deviations more, up to the largest; the largest where there are no pairs.
double cautious_kernel_error(const Matrix& sums, Index features);
Matrix kernel_error_sums(const Matrix& psi, const Matrix& kernel);
// Of some of the samples, as above.
Matrix kernel_error_of_some(const Kernel& kernel, const MatrixView<double>& samples,
                            const MatrixView<double>& psi);
Task<double> agreed_kernel_error(Node& node, SecureSums& sums, const Matrix& psi, const Matrix& kernel);

// What an error of that size in every entry leaves of components with these variances, which are the size of
// their own part of an entry. Errors spread over many directions: a quarter of them is counted.
Vector claims_despite_error(const Vector& variances, double error);

}  // namespace choir
