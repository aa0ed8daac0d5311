// A point and orthonormal directions from it: what a linear model is among samples, and a feature model among
// their features.
//
//   plane_coordinates(mean, U, block)   t = U'(x - mean) for each column x
//   plane_distances(mean, U, block)     ||x - mean - U t||^2
//   plane_points(mean, U, t)            mean + U t; the directions may then be any
#pragma once

#include "choir/linalg/types.h"

namespace choir {

// `directions` is R x D, `block` is R x n.
Matrix plane_coordinates(const Vector& mean, const Matrix& directions, Matrix block, int threads);  // n x D
Vector plane_distances(const Vector& mean, const Matrix& directions, Matrix block, int threads);    // n
Matrix plane_points(const Vector& mean, const Matrix& directions, const Matrix& coordinates,        // n x D
                    int threads);                                                                   // R x n

}  // namespace choir
