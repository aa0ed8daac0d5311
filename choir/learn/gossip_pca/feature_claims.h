// How far an answer over features can be trusted to be that of their kernel, from sums over all nodes: the
// claims of learn/features/appraisal.h for nodes that all answer or none does.
//
//   const Matrix mine = appraisal_sums(form, answer, mean, psi);                  // at every node
//   const AgreedClaims claims = claims_of_features(form.map, answer, halves, all);   // where they were added
//   up
#pragma once

#include <string>

#include "choir/learn/assessment/claim.h"
#include "choir/learn/features/appraisal.h"
#include "choir/learn/features/feature_map.h"
#include "choir/learn/gossip_pca/options.h"
#include "choir/linalg/types.h"
#include "choir/runtime/array.h"

namespace choir::gossip_pca {

// A node's samples and what maps them to features.
struct KernelForm {
  FeatureMap map;
  Array samples;  // M x n, preprocessed
};

// The sum over samples of k(x, x) - |psi(x)|^2. psi: m x n.
double squares_outside(const KernelForm& form, const MatrixView<double>& psi);

// What a node's samples say about what the features miss; of the same size at all nodes. mean: m.
Matrix appraisal_sums(const KernelForm& form, const GuardedAnswer& answer, const Vector& mean,
                      const MatrixView<double>& psi);
// From the sum over all nodes, and from what half of the features would have found (claims_from_halves).
AgreedClaims claims_of_features(const FeatureMap& map, const GuardedAnswer& answer, const Vector& halves,
                                const Matrix& sums);

// What a node can say alone: the smallest claim for components of these variances, from the kernel error of
// its own pairs. Too high where half of the features would have found something else.
double own_claim(const KernelForm& form, const MatrixView<double>& psi, const Vector& variances);

// What helps against a weak answer, as the end of a sentence.
std::string feature_advice(const Options& options, Index samples);

}  // namespace choir::gossip_pca
