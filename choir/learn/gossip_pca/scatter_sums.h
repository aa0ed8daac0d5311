// Sums over samples from which the covariance follows, or its products with a few directions: what nodes add
// up to refine an answer. About an origin that all nodes share and that is near the mean, so that nothing
// cancels.
//
//   ScatterSums sums = products_with(directions, columns, origin);   // X (X'U), X 1, n, ||X||^2
//   sums += theirs;                                                  // or unpack() the total of all packed()
//   ones covariance_products(sums, directions);                           // C U, about the exact mean
#pragma once

#include "choir/linalg/types.h"

namespace choir::gossip_pca {

struct ScatterSums {
  double samples = 0;  // n
  double squares = 0;  // ||X - o 1'||^2
  double within = 0;   // the same about each node's own mean: the rest lies between the nodes
  double outside = 0;  // of features: what they miss of the squared lengths of the samples, k(x, x)
  Vector sum;          // M: (X - o 1') 1
  Matrix products;     // M x r: (X - o 1')(X - o 1')'U; of a whole scatter: its lower triangle, one column

  ScatterSums& operator+=(const ScatterSums& other);
};

// All numbers in a column, to be added up, and back from a total into sums of the same size.
Matrix packed(const ScatterSums& sums);
void unpack(const Matrix& column, ScatterSums& sums);

// `columns`: M x n, `origin`: M, `directions`: M x r.
ScatterSums products_with(const Matrix& directions, const MatrixView<double>& columns, const Vector& origin);
ScatterSums whole_scatter(const MatrixView<double>& columns, const Vector& origin);

// What follows from the sums of all nodes. Without samples everything is zero.
Vector mean_offset(const ScatterSums& sums);     // M: of the mean from the origin
double total_variance(const ScatterSums& sums);  // trace of the covariance, and what the features miss
double between_share(const ScatterSums& sums);   // of the covariance's trace: what lies between the nodes
Matrix covariance_products(const ScatterSums& sums, const Matrix& directions);  // M x r
Matrix covariance(const ScatterSums& sums);                                     // M x M, from a whole scatter

// Numbers in a triangle of so many rows.
constexpr Index triangle_size(Index rows) { return rows * (rows + 1) / 2; }

}  // namespace choir::gossip_pca
