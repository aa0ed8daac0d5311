// What residuals say about the similarity of Ritz vectors to eigenvectors, component by component.
//
//   const Vector claims = residual_claims(values, residuals, {.kept = 10, .beyond = 0.1});
//
// Davis and Kahan: the sine of the angle between a vector v and the eigenvectors whose values are near l is
// at most ||C v - l v|| / gap, where gap is the distance from l to all other eigenvalues; the same for a
// group of vectors. The neighbours are the Ritz values beside it, the guard columns' included, each as far
// off as its own residual allows, and so is the value itself. A component that is not separated from others
// may be known as one of its group only: the better of the two claims counts.
#pragma once

#include "choir/linalg/types.h"

namespace choir {

struct RitzNeighborhood {
  Index kept = 0;     // claims are made for so many; the other values are neighbours
  double beyond = 0;  // no eigenvalue that is missing among the values is larger
};

// `values`: descending, none below 0; `residuals`: ||C v - l v|| of each. Returns a cosine for each kept one.
Vector residual_claims(const Vector& values, const Vector& residuals, const RitzNeighborhood& around);

}  // namespace choir
