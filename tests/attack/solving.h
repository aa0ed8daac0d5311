// Samples from sums of their features: what a curious parent in the tree did with the sum of a child.
//
//   const Samples guesses = samples_in_span(sum_of_products, 5, psi, starts);
//   EXPECT_EQ(recovered(truth, guesses, 1e-3), 5);
#pragma once

#include <cstdint>
#include <functional>

#include "choir/linalg/types.h"

namespace choir::testing_attack {

using Features = std::function<Vector(const Vector& sample)>;

// With fewer samples than features, sum psi psi' spans the psi of its samples and nothing else. From each
// column of `starts` it is descended (Levenberg and Marquardt) to a sample whose psi lies in the span, and
// kept if its part in the sum is 1.
Samples samples_in_span(const Matrix& products, Index samples, const Features& psi, const Samples& starts);

// Samples that stand nearly alone in a sum psi psi': psi(x)'S^-1 psi(x) is at most 1 at every sample of the
// sum, and above 1 all around one that is alone. `inputs` are two-dimensional: the square from -width to
// width is searched, and every island of at most `most_cells` cells is a guess.
Samples lone_samples(const Matrix& products, const Features& psi, double width, Index cells,
                     Index most_cells);

// 2 x count, normal; three of them are twice as far out as they were drawn.
Samples samples_of_the_plane(Index count, std::uint64_t seed);

}  // namespace choir::testing_attack
