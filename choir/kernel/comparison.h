// Kernel values of samples that no party has as a whole: a pair is known by one number, which parties that
// hold different features add up, and each sample by its squared length.
//
//   rbf                              ||x - y||^2
//   linear, poly, sigmoid, cosine    x'y
//
//   apply_function(kernel, rows, column);                            // that number in, k(x, y) out
//   if (scales_by_lengths(kernel)) ...                               // times the factors of both samples
//   const Vector factors = length_factors(kernel, squared_lengths);
#pragma once

#include "choir/kernel/kernel.h"
#include "choir/linalg/types.h"

namespace choir {

bool compares_distances(KernelKind kind);  // rbf; the others compare by inner products

// The kernel's function, before any scaling by lengths. Not for laplacian, which compares by L1 distances.
void apply_function(const Kernel& kernel, Index count, double* compared);

// k(x,x) from x'x. Throws as length_factors does.
Vector self_similarities(const Kernel& kernel, const Vector& squared_lengths);

// Whether values are multiplied by a factor of each of the two samples: cosine, and normalized kernels whose
// k(x,x) is not 1 anyway.
bool scales_by_lengths(const Kernel& kernel);
// These factors. Throws Error(BadData) naming the sample if the kernel is to be normalized and k(x,x) is not
// positive.
Vector length_factors(const Kernel& kernel, const Vector& squared_lengths);

}  // namespace choir
