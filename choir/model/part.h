// One party's part of a model that only all parties together have, of either kind: what they add up, and what
// the sum says.
//
//   Matrix sum = contribution(first, its_features) + contribution(second, its_features);
//   if (const auto answer = answer_of(first, sum)) answer->scores;
#pragma once

#include <optional>
#include <variant>

#include "choir/model/kernel_part.h"
#include "choir/model/linear_part.h"

namespace choir {

using Part = std::variant<LinearPart, KernelPart>;

Index features(const Part& part);
const std::vector<std::int64_t>& columns_of(const Part& part);
bool has_answer(const Part& part);  // or only adds to sums
// Without a part the others still know something of linear components, but nothing of a kernel.
bool needs_all_parts(const Part& part);

Matrix contribution(const Part& part, const SamplesView& samples, int threads = 1);
Index contribution_size(const Part& part, Index samples);  // how many numbers it has
// What the sum of all contributions says; nothing if the part has no answer.
std::optional<PartedAnswer> answer_of(const Part& part, const Matrix& contributions);

}  // namespace choir
