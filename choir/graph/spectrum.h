// Eigenvalues that say how fast a graph mixes.
//
//   const Vector all = laplacian_spectrum(graph);             // small graphs: every eigenvalue of L = D - A
//   const SpectralSummary few = spectral_summary(graph);      // the ones people ask for, any size
//   if (few.spectral_gap) ...                                 // absent: not to be had at this size
#pragma once

#include <optional>

#include "choir/graph/graph.h"
#include "choir/linalg/types.h"

namespace choir {

Matrix laplacian_matrix(const Graph& graph);   // J x J
Matrix metropolis_matrix(const Graph& graph);  // J x J

// J values, ascending; the first is 0, the second is 0 too if the graph is not connected. Dense, so its
// time grows with J^3. Throws Error(OutOfMemory) if the matrix does not fit.
Vector laplacian_spectrum(const Graph& graph);

struct SpectralSummary {
  std::optional<double> algebraic_connectivity;  // second smallest eigenvalue of L
  std::optional<double> lambda_max;              // largest eigenvalue of L
  std::optional<double> mixing;                  // second largest modulus of W, the Metropolis matrix
  std::optional<double> spectral_gap;            // 1 - mixing: averaging shrinks errors by this a round
};

struct SpectralOptions {
  Index max_dense = 1500;    // up to here all eigenvalues, by LAPACK
  Index max_nodes = 10'000;  // above here nothing is computed
  double tol = 1e-3;         // bound of the relative error above which an iterated value is left out
};

// Small graphs are decomposed. Larger ones are iterated with products only; where that does not separate
// an eigenvalue from its neighbours (long rings and lines, whose gap shrinks like 1/J^2), or above
// max_nodes, the value is absent. A single node has no value at all.
SpectralSummary spectral_summary(const Graph& graph, const SpectralOptions& options = {});

}  // namespace choir
