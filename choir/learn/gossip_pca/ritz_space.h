// Rayleigh-Ritz in a space that grows by one block per product with the covariance: block Krylov steps, which
// use every product that was paid for and not the last one alone.
//
//   RitzSpace space;
//   space.add(block, covariance * block);
//   const RitzPairs pairs = space.leading(20);            // values, vectors, residuals
//   block = space.next_block(20);                         // no columns: it would add nothing
#pragma once

#include "choir/linalg/types.h"

namespace choir::gossip_pca {

struct RitzPairs {
  Vector values;     // descending, none below 0
  Matrix vectors;    // M x r, orthonormal
  Vector residuals;  // r: ||C v - l v||
};

class RitzSpace {
 public:
  // `block`: M x r, orthonormal and orthogonal to all blocks before; `products`: C block.
  void add(const Matrix& block, const Matrix& products);
  RitzPairs leading(Index count) const;
  // Where the leading pairs' residuals point: an orthonormal block, orthogonal to the space.
  Matrix next_block(Index width) const;

 private:
  Matrix basis_;   // M x k
  Matrix images_;  // M x k: C basis
};

}  // namespace choir::gossip_pca
