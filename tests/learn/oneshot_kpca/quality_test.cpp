#include "choir/learn/oneshot_kpca/quality.h"

#include <cmath>

#include "graph/expect_error.h"
#include "learn/oneshot_kpca/toy.h"
#include <gtest/gtest.h>

namespace choir::oneshot_kpca {
namespace {

using testing::expect_error;
using testing::parties_of;
using testing::party_samples;

constexpr Index components = 3;

// Parties that kept the truth of all features; the last has no answer.
Fit true_fit(const Samples& samples) {
  const Kernel kernel{.kind = KernelKind::rbf, .gamma = 0.01};
  const central_kpca::Fit truth =
      fit_central_kpca(samples, {.kernel = kernel, .n_components = {.count = components}});
  Answer answer;
  answer.vectors = truth.scores * truth.model.eigenvalues.cwiseSqrt().cwiseInverse().asDiagonal();
  answer.eigenvalues = truth.model.eigenvalues;
  Fit fit;
  for (const Samples& features : parties_of(samples, 3)) {
    NodeResult party;
    party.kernel = kernel;
    party.features = features;
    party.answer = answer;
    fit.nodes.emplace_back(std::move(party));
  }
  fit.nodes.back()->answer.reset();
  return fit;
}

TEST(OneshotQuality, TheTruthHasNoError) {
  EXPECT_LT(subspace_error_of(true_fit(party_samples(11, 40, 1)), {}), 1e-12);
}

TEST(OneshotQuality, IsThatOfTheWorstAnswer) {
  Fit fit = true_fit(party_samples(11, 40, 1));
  // The second vector turned by an angle out of the span: D - ||V'V^||^2 is its squared sine.
  const Matrix truth = fit.nodes[1]->answer->vectors;
  Vector outside = Vector::LinSpaced(40, -1, 1);
  outside -= truth * (truth.transpose() * outside);
  fit.nodes[1]->answer->vectors.col(1) = std::cos(0.3) * truth.col(1) + std::sin(0.3) * outside.normalized();
  EXPECT_NEAR(subspace_error_of(fit, {}), std::pow(std::sin(0.3), 2), 1e-9);
}

TEST(OneshotQuality, NeedsAllPartiesAndAnAnswer) {
  Fit fit = true_fit(party_samples(11, 40, 1));
  for (auto& party : fit.nodes) party->answer.reset();
  expect_error(ErrorCategory::InvalidArgument, {"no party has an answer"},
               [&] { subspace_error_of(fit, {}); });
  fit.nodes[2].reset();
  expect_error(ErrorCategory::InvalidArgument, {"node 2 has no result here"},
               [&] { subspace_error_of(fit, {}); });
}

}  // namespace
}  // namespace choir::oneshot_kpca
