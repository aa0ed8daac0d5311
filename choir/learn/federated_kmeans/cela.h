// CELA: the leading eigenpairs of a sum of matrices that nobody has, by Lanczos: the server sends a vector,
// the devices answer with its product, and the server alone keeps the vectors orthogonal.
//
//   Cela lanczos(n, {.wanted = 20}, seed);
//   while (!lanczos.finished()) lanczos.absorb(<sum over devices of W'W c>);        // c = lanczos.vector()
//   const EigenPairs top = lanczos.result();
//
// Every vector is made orthogonal to all earlier ones, twice: with less, copies of the leading eigenvalues
// appear before Q = 20. It costs the server Q^2 n operations and no message. Ritz pairs are those of V'AV as
// multiplied, so that products with some devices missing do no more harm than their own error.
#pragma once

#include <cstdint>
#include <vector>

#include "choir/learn/federated_kmeans/options.h"
#include "choir/linalg/eigen.h"
#include "choir/linalg/types.h"

namespace choir::federated_kmeans {

struct CelaRule {
  Index wanted = 1;   // leading eigenpairs
  Index most = 0;     // products; 0: as many as the matrix has rows
  double tol = 1e-9;  // on the residuals of the wanted ones, relative to the largest eigenvalue
};

class Cela {
 public:
  Cela(Index size, const CelaRule& rule, std::uint64_t seed);

  bool finished() const { return finished_; }
  const Vector& vector() const { return next_; }  // of length 1, to be multiplied
  void absorb(const Vector& product);
  Index products() const { return count_; }

  // The leading `wanted` Ritz pairs, or as many as there are. `converged`: their residuals are below tol.
  EigenPairs result() const;

 private:
  void orthogonalize(Vector& vector) const;
  EigenPairs ritz_pairs() const;

  CelaRule rule_;
  Matrix basis_;       // n x most, the first count_ columns are in use
  Matrix projection_;  // V'AV
  Vector next_;
  double next_length_ = 0;  // of what the last product had outside of the basis
  Index count_ = 0;
  bool finished_ = false;
};

// Products that capped CELA makes for so many eigenvectors of an n x n matrix: rank + 5.
Index capped_products(Index size, Index rank);

// Numbers that pass between the server and one device, to and fro, for one eigendecomposition, the
// eigenvectors themselves not counted: they are told in every case. cela: `products`, or at most `size` if
// they are not known.
double numbers_sent(EigenRoute route, Index size, Index rank, Index products = 0);
// gram or capped_cela if the wish is `cheapest`, the wish itself otherwise.
EigenRoute chosen_route(EigenRoute wish, Index size, Index rank);

}  // namespace choir::federated_kmeans
