#include "choir/experiment/consensus_kpca/comparison.h"

#include <limits>

#include "paths.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

class ComparisonTest : public ::testing::Test {
 protected:
  const ExperimentOptions options_{.quick = true, .threads = 2, .data = datasets_folder()};
  const Comparison comparison_{options_};
  const Trial trial_ = comparison_.trial({.deal = {.nodes = 6, .samples = 30}, .seed = 3});
};

TEST_F(ComparisonTest, TheShortWayToSimilaritiesAgreesWithTheLongOne) {
  for (const consensus_kpca::Options& method : {default_method(), printed_method()}) {
    const Answers answers = comparison_.answer(trial_, method);
    EXPECT_NEAR(comparison_.own_similarity(trial_, answers.fit), mean_of(answers.quality.similarity_own),
                1e-9);
  }
}

TEST_F(ComparisonTest, ANodeAloneIsTheYardstickUnderLocalCentring) {
  const Answers printed = comparison_.answer(trial_, printed_method());
  EXPECT_NEAR(comparison_.local_similarity(trial_), mean_of(printed.quality.yardsticks.local), 1e-6);
}

TEST_F(ComparisonTest, TheSameSeedGivesTheSameTrial) {
  EXPECT_EQ(trial_.shards[2], comparison_.trial({.deal = {.nodes = 6, .samples = 30}, .seed = 3}).shards[2]);
}

TEST(Comparison, MeansLeaveOutNodesWithoutAnAnswer) {
  Matrix by_node(3, 1);
  by_node << 0.5, std::numeric_limits<double>::quiet_NaN(), 0.7;
  EXPECT_DOUBLE_EQ(mean_of(by_node), 0.6);
}

}  // namespace
}  // namespace choir
