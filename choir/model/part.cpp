#include "choir/model/part.h"

namespace choir {

Index features(const Part& part) {
  return std::visit([](const auto& any) { return any.features(); }, part);
}

const std::vector<std::int64_t>& columns_of(const Part& part) {
  return std::visit(
      [](const auto& any) -> const auto& { return any.columns; }, part);
}

bool has_answer(const Part& part) {
  const auto* kernel = std::get_if<KernelPart>(&part);
  return kernel == nullptr || kernel->has_answer();
}

bool needs_all_parts(const Part& part) { return std::holds_alternative<KernelPart>(part); }

Matrix contribution(const Part& part, const SamplesView& samples, int threads) {
  return std::visit([&](const auto& any) { return any.contribution(samples, threads); }, part);
}

Index contribution_size(const Part& part, Index samples) {
  if (const auto* kernel = std::get_if<KernelPart>(&part)) return samples * kernel->numbers_a_sample();
  const Index components = std::get<LinearPart>(part).components();
  return (samples + components) * (components + 1);
}

std::optional<PartedAnswer> answer_of(const Part& part, const Matrix& contributions) {
  if (!has_answer(part)) return std::nullopt;
  if (const auto* kernel = std::get_if<KernelPart>(&part)) return kernel->answer(contributions);
  return answer_of(contributions);
}

}  // namespace choir
