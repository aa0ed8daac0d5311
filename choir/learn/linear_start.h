// Where the search for kernel components begins: about the leading linear components of the samples, by one
// step of power iteration. For kernels that are not very narrow they lie close to the leading kernel
// components, and cost a few passes over the samples instead of one over the kernel matrix.
//
//   top_eigenpairs(centred, {.count = 10, .start = linear_start<double>(samples, 14, seed)});
#pragma once

#include <cstdint>

#include "choir/linalg/types.h"

namespace choir {

// `x`: M x N. Returns N x columns, each of mean zero.
template <class Scalar>
Matrix linear_start(const MatrixView<Scalar>& x, Index columns, std::uint64_t seed);

}  // namespace choir
