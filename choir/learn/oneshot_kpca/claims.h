// How good a fused answer is, as far as its holder can tell: compared with the answer from a part of what was
// sent. README.md says why this works, and what was measured.
//
//   const Matrix fewer = leading_vectors(fuse_products(kernel, parts(factors), ...), ...);   // from three
//   fifths const Assessment assessment = assess(answer, fewer, advice);
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "choir/learn/assessment/assessment.h"
#include "choir/learn/oneshot_kpca/fused_answer.h"

namespace choir::oneshot_kpca {

// Of a party's vectors. Half would call many a good answer weak; two thirds claim too much now and then.
constexpr double compared_share = 0.6;

template <class Factor>
std::vector<Factor> compared_parts(const std::vector<Factor>& factors) {
  std::vector<Factor> parts;
  for (const Factor& factor : factors) parts.push_back(leading_part(factor, compared_share));
  return parts;
}

// The smallest principal cosine between each group of `vectors` (T x D) and the same group of `others` (T x
// any, guard columns included): D, the same for all of a group. 0 for what the others do not have.
Vector group_cosines(const Matrix& vectors, const Matrix& others, const std::vector<ComponentGroup>& groups);

// Variances, what is separated, and the claims. `fewer`: eigenvectors from a part of what was sent; nothing:
// all was sent, and the answer is exact.
Assessment assess(const FusedAnswer& answer, const std::optional<Matrix>& fewer, std::string_view advice);

}  // namespace choir::oneshot_kpca
