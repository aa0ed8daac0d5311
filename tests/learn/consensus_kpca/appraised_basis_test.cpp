#include "choir/learn/consensus_kpca/appraised_basis.h"

#include "learn/central/toy.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/kernel/gram.h"
#include "choir/kernel/nystroem.h"
#include "choir/learn/central/kernel_pca.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::consensus_kpca {
namespace {

using ::testing::HasSubstr;
using testing_toys::falling_scales;

constexpr Index nodes = 3;
constexpr Index each = 60;

const Samples& all_samples() {
  static const Samples samples = falling_scales(5, nodes * each);
  return samples;
}

FeatureMap map_with_landmarks(const Kernel& kernel, Index count) {
  const Samples points = all_samples().leftCols(count);
  const SharedLandmarks landmarks{.points = Array(points),
                                  .whitening = Array(NystroemFeatures(kernel, points).whitening())};
  return {.kernel = kernel, .landmarks = landmarks};
}

std::vector<AppraisedBasis> appraised(const FeatureMap& map, const Options& options) {
  const Contract contract{.method = "appraised",
                          .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  SimEngine engine;
  const auto outcome = run_nodes<AppraisedBasis>(
      engine, make_topology("line", nodes, 0), contract, {}, [&](Node& node) -> Task<AppraisedBasis> {
        const Samples own = all_samples().middleCols(each * node.id(), each);
        const Matrix kernel = gram<double>(map.kernel, own, own);
        const Matrix psi = map.features(own);
        SecureSums sums = co_await open_secure_sums(node);
        AppraisedBasis found = co_await appraised_basis(node, sums, map, psi, kernel, options);
        co_return found;
      });
  std::vector<AppraisedBasis> all;
  for (const auto& result : outcome.results) all.push_back(*result);
  return all;
}

Options with(Index components) {
  Options options;
  options.n_components.count = components;
  return options;
}

const Kernel rbf{.kind = KernelKind::rbf, .gamma = 0.03};

TEST(AppraisedBasis, OfGoodLandmarksIsTheCentralAnswerAndSaysSo) {
  const std::vector<AppraisedBasis> found = appraised(map_with_landmarks(rbf, 100), with(3));
  const central_kpca::Options central{.kernel = rbf, .n_components = {.count = 3}};
  const Vector truth = fit_central_kpca(all_samples(), central).model.eigenvalues / (nodes * each);
  for (const AppraisedBasis& node : found) {
    EXPECT_TRUE(node.assessment.good());
    EXPECT_GT(node.assessment.claimed_similarity.minCoeff(), 0.98);
    EXPECT_LE((node.assessment.captured_variance - truth).norm(), 1e-2 * truth.norm());
    EXPECT_EQ(node.assessment.claimed_similarity, found[0].assessment.claimed_similarity);
    EXPECT_EQ(node.kernel_error, 0);
  }
}

TEST(AppraisedBasis, HoldsForTheLeadingComponentsAlone) {
  const AppraisedBasis shared = appraised(map_with_landmarks(rbf, 8), with(6)).front();
  const Assessment& all = shared.assessment;
  const Assessment leading = assessment_of_leading(shared, 2);
  EXPECT_EQ(leading.claimed_similarity, all.claimed_similarity.head(2));
  EXPECT_EQ(leading.captured_variance, all.captured_variance.head(2));
  EXPECT_EQ(leading.captured_share, 0);  // was estimated for all six
  EXPECT_GT(all.claimed_similarity(0), weak_claim);
  EXPECT_LT(all.claimed_similarity.minCoeff(), weak_claim);
  const bool two_are_weak = leading.claimed_similarity.minCoeff() < weak_claim;
  EXPECT_EQ(leading.weaknesses.empty(), !two_are_weak);
  EXPECT_EQ(assessment_of_leading(shared, 6).weaknesses, all.weaknesses);
}

TEST(AppraisedBasis, OfFewLandmarksIsCalledWeak) {
  Options options = with(4);
  options.n_landmarks = 6;
  const AppraisedBasis weak = appraised(map_with_landmarks(rbf, 6), options)[0];
  ASSERT_FALSE(weak.assessment.good());
  EXPECT_THAT(weak.assessment.weaknesses[0], HasSubstr("raise --n-landmarks above 6"));
}

TEST(AppraisedBasis, OfRandomFeaturesKnowsTheirError) {
  FeatureMap map{.kernel = rbf};
  map.random = RandomFeaturesOptions{.count = 2000, .seed = 1};
  const AppraisedBasis many = appraised(map, with(1))[1];
  map.random->count = 40;
  Options options = with(4);
  options.n_features = 40;
  const AppraisedBasis few = appraised(map, options)[1];
  EXPECT_GT(few.kernel_error, 4 * many.kernel_error);
  EXPECT_GT(many.kernel_error, 0);
  ASSERT_FALSE(few.assessment.good());
  EXPECT_THAT(few.assessment.weaknesses[0], HasSubstr("raise --n-features above 40"));
  EXPECT_GT(many.assessment.claimed_similarity(0), 0.9);
}

// What landmarks miss of a kernel that is no inner product has no length: halves alone make a claim.
TEST(AppraisedBasis, OfAnIndefiniteKernelAdvisesAnother) {
  const Kernel sigmoid{.kind = KernelKind::sigmoid, .gamma = 2, .coef0 = -1};
  const AppraisedBasis found = appraised(map_with_landmarks(sigmoid, 8), with(2))[0];
  EXPECT_TRUE(found.assessment.claimed_similarity.allFinite());
  ASSERT_FALSE(found.assessment.good());
  EXPECT_THAT(found.assessment.weaknesses[0], HasSubstr("use another kernel"));
}

}  // namespace
}  // namespace choir::consensus_kpca
