// What a user asks for when no sample may show in what a run makes public.
//
//   const PrivacyOptions privacy{.epsilon = 1.0, .delta = 1e-6};
//   validate(privacy);
//   if (privacy.wanted()) print(*privacy.epsilon);
//
// Two data sets are neighbours if one sample of one node is another one: numbers of samples are public, what
// is in a sample is not (README.md beside this). Per sample, not per person: who has given ten has ten times
// the epsilon.
#pragma once

#include <optional>

namespace choir {

struct PrivacyOptions {
  std::optional<double> epsilon = {};  // nothing: no differential privacy
  double delta = 1e-6;
  std::optional<double> clip =
      {};  // samples longer than this are shortened to it, where lengths have no other bound

  bool wanted() const { return epsilon.has_value(); }
};

// Throws Error(InvalidArgument) unless epsilon > 0, 0 < delta < 1, clip > 0.
void validate(const PrivacyOptions& options);

}  // namespace choir
