// What scores say about the span of directions that need not be orthonormal.
//
// t = w'(phi - mu) are inner products with the directions w. The orthogonal projection of phi - mu on their
// span is w (w'w)^+ t, and its squared length t'(w'w)^+ t. w may be rank deficient: directions of the span
// that are shorter than 1e-4 of the longest carry rounding only and are left out.
#pragma once

#include "choir/model/kernel_model.h"

namespace choir {

// `scores` is n x D.
Matrix span_coefficients(const KernelModel& model, const Matrix& scores);  // n x D: a projection for each row
Vector captured_lengths(const KernelModel& model, const Matrix& scores);   // n: its squared length

}  // namespace choir
