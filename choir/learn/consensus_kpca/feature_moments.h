// Sums of features over all samples, agreed on in one of three ways, and the directions in them.
//
//   FeatureMoments mine = FeatureMoments::of(psi, diagonal);         // psi: m x N_j
//   const FeatureBasis basis = co_await agreed_basis(node, mine, Agree::tree, components);
#pragma once

#include "choir/learn/components.h"
#include "choir/learn/consensus_kpca/options.h"
#include "choir/linalg/types.h"
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
  Vector mean;         // m
  Matrix directions;   // m x D, orthonormal, sign rule applied
  Vector eigenvalues;  // D, of the centred kernel matrix of all samples
  double trace = 0;    // of that matrix
  Index samples = 0;   // n
  bool converged = true;
};

// `samples`: n in the whole network. Throws Error(InvalidArgument) if the features span too few components.
FeatureBasis basis_of(const FeatureMoments& moments, const ComponentChoice& components, double samples);

// tree: the root decomposes, the same bits at all nodes. consensus, gossip: every node decomposes what it
// found, and the nodes differ by what they have not agreed on yet.
Task<FeatureBasis> agreed_basis(Node& node, FeatureMoments mine, Agree agree, ComponentChoice components);

}  // namespace choir::consensus_kpca
