// What another node sent is looked at before it is used: whether an honest node could have sent it, as far as
// the receiver can tell. Whoever lies within these bounds is not found.
//
//   require_possible(theirs.trace >= 0, from, "a summary", "its trace is negative");
//   const auto y = matrix_from(received, 0, rows, columns, "projections");
//
// Error(PeerLost), exit code 4: "node 3 sent a summary that no samples have: its trace is negative; ...".
#pragma once

#include <string_view>

#include "choir/kernel/kernel.h"
#include "choir/linalg/types.h"
#include "choir/runtime/node.h"

namespace choir {

// `what` it is that came, and `why` no samples have it.
void require_possible(bool possible, NodeId from, std::string_view what, std::string_view why);

// The array `index` of a message, which has this shape and holds finite numbers.
Eigen::Map<const Matrix> matrix_from(const Received& received, std::size_t index, Index rows, Index columns,
                                     std::string_view what);

bool is_mass(double value);  // finite and not negative: a count, a trace, a length
// value <= bound, but for rounding.
bool is_at_most(double value, double bound);

// sup k(x, x), where the kernel has one; infinity where it has none.
double largest_square(const Kernel& kernel);
// Whether so many samples of a kernel may have these squared lengths together.
bool fit_the_kernel(double squares, double samples, double largest_square);

}  // namespace choir
