// What a node says at the end: its components read off from what gossip left with it, or from the refined
// answer that all nodes share, with what it knows about how good they are.
//
//   NodeResult result;
//   read_estimate(estimate, options, result);
//   if (refined) read_refined(*refined, options, result);
#pragma once

#include "choir/learn/gossip_pca/estimate.h"
#include "choir/learn/gossip_pca/feature_claims.h"
#include "choir/learn/gossip_pca/gossip_pca.h"
#include "choir/learn/gossip_pca/refinement.h"

namespace choir::gossip_pca {

void read_estimate(const Estimate& estimate, const Options& options, NodeResult& result);

// In place of the former.
void read_refined(const Refined& refined, const Options& options, NodeResult& result);
// The former stands, because somebody could not be reached. An answer over features of unknown quality has
// not converged.
void read_unrefined(const Options& options, NodeResult& result);
// A run that is not to be refined: features that are bad by what a node sees alone make the answer weak. psi:
// m x n.
void doubt_features(const KernelForm& form, const MatrixView<double>& psi, const Options& options,
                    NodeResult& result);

// What cannot be is refused, and what is missing or may be is noted. Throws Error(InvalidArgument) if the
// components do not explain the share of the variance that was asked for.
void check_answer(const Options& options, NodeResult& result);

// U_i = Z_i V (D l)^-1/2
Matrix loadings_of(SamplesMap rows, const Vector& mean, const NodeResult& result);

}  // namespace choir::gossip_pca
