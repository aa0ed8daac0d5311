// Sums of features over all samples, agreed on in one of three ways, and the directions in them.
//
//   FeatureMoments mine = FeatureMoments::of(psi, diagonal);         // psi: m x N_j
//   const FeatureBasis basis = co_await agreed_basis(node, sums, mine, Agree::tree, wish);
#pragma once

#include <functional>

#include "choir/learn/assessment/claim.h"
#include "choir/learn/components.h"
#include "choir/learn/consensus_kpca/options.h"
#include "choir/linalg/types.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::consensus_kpca {

struct FeatureMoments {
  double count = 0;     // n
  double diagonal = 0;  // sum of k(x, x)
  Vector sum;           // m: sum of psi
  Matrix products;      // m x m: sum of psi psi'

  // `diagonal`: k(x, x) of the samples.
  static FeatureMoments of(const Matrix& psi, const Vector& diagonal);
  // As one column of 2 + m + m(m + 1)/2 numbers and back.
  Matrix packed() const;
  static FeatureMoments unpacked(const MatrixView<double>& column);
};

struct FeatureBasis {
  Vector mean;           // m
  Matrix directions;     // m x D, orthonormal, sign rule applied
  Vector eigenvalues;    // D, of the centred kernel matrix of all samples
  GuardedAnswer answer;  // the same with columns beyond D, and variances
  Vector claims;         // D, or empty: what whoever decomposed has to say about them
  double trace = 0;      // of that matrix
  Index samples = 0;     // n
  bool converged = true;
};

// What to look for. `appraise` says how similar an answer may be to the central one, from the covariance of
// the features (m x m).
struct BasisWish {
  ComponentChoice components = {};
  bool inner_product = true;  // whether psi'psi is at most the kernel; not of sigmoid
  bool all_if_short = false;  // rather than refuse a share of the variance that the features do not reach
  std::function<Vector(const Matrix& covariance, const GuardedAnswer& answer)> appraise = {};
};

// Whether samples of a kernel can have these sums. Throws Error(PeerLost): some node lies or is broken, and
// sums do not show which.
void require_sums_of_samples(const FeatureMoments& moments);

// `samples`: n in the whole network. Throws Error(InvalidArgument) if the features span too few components,
// and what require_sums_of_samples() throws.
FeatureBasis basis_of(const FeatureMoments& moments, const BasisWish& wish, double samples);

// tree: a masked sum that the root decomposes, the same bits at all nodes. consensus, gossip: every node
// decomposes what it found, and the nodes differ by what they have not agreed on yet; nothing is masked, and
// neighbours see a node's own sums.
Task<FeatureBasis> agreed_basis(Node& node, SecureSums& sums, FeatureMoments mine, Agree agree,
                                BasisWish wish);

}  // namespace choir::consensus_kpca
