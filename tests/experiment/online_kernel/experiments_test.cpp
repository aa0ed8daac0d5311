// What must hold in the quick form of every experiment of online-kernel, whatever the sizes.
#include "choir/experiment/online_kernel/experiments.h"

#include "experiment/quick_results.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using Results = testing::QuickResults;

TEST(OnlineExperiments, Fig1LearnsAndDiffusionAgrees) {
  const Results seen(online_kernel_fig1);
  const auto at_end = [&](const char* series, const char* quantity) {
    return seen.at("1600", series, quantity);
  };
  EXPECT_GT(at_end("diffusion", "accuracy / Bayes"), 0.95);
  EXPECT_LT(at_end("diffusion", "accuracy / Bayes"), 1.05);
  EXPECT_LT(at_end("diffusion", "objective"), seen.at("256", "diffusion", "objective"));
  EXPECT_LT(at_end("diffusion", "disagreement"), 0.1 * at_end("none", "disagreement"));
  EXPECT_LT(at_end("diffusion", "model order"), 30);
  EXPECT_LT(at_end("diffusion", "MiB sent a node"), at_end("penalty", "MiB sent a node"));
}

TEST(OnlineExperiments, Fig2ShowsANodeThatIsNearlyAsGoodAsCanBe) {
  const Results seen(online_kernel_fig2);
  const double bayes = seen.at("5", "diffusion", "Bayes accuracy");
  EXPECT_GE(bayes, 0.95);
  EXPECT_GT(seen.at("5", "diffusion", "accuracy"), 0.95 * bayes);
}

TEST(OnlineExperiments, SkewIsOvercomeByDiffusionAndMostlyByTheWholeGradient) {
  const Results seen(online_kernel_skew);
  const auto right = [&](const char* form) { return seen.at(form, "all", "accuracy / Bayes"); };
  EXPECT_GT(right("diffusion"), 0.93);
  EXPECT_LT(right("penalty"), 0.6);
  EXPECT_LT(right("none"), 0.6);
  EXPECT_GT(right("symmetric"), 0.7);
}

TEST(OnlineExperiments, DriftIsFollowed) {
  const Results seen(online_kernel_drift);
  const auto right = [&](const char* samples, const char* series) {
    return seen.at(samples, series, "accuracy / Bayes");
  };
  EXPECT_GT(right("800", "diffusion"), 0.9);
  EXPECT_LT(right("960", "diffusion"), 0.7);
  EXPECT_GT(right("1600", "diffusion"), 0.85);
  EXPECT_LT(right("800", "none, two classes a node"), 0.6);
}

TEST(OnlineExperiments, RegressionLearnsStripsOfOthers) {
  const Results seen(online_kernel_regression);
  EXPECT_LT(seen.at("strips", "diffusion", "RMSE / alone"), 0.6);
  EXPECT_LT(seen.at("like nodes", "diffusion", "RMSE"), 0.15);
}

TEST(OnlineExperiments, StabilityTheCapHolds) {
  const Results seen(online_kernel_stability);
  for (const char* form : {"penalty", "symmetric"}) {
    EXPECT_EQ(seen.at(form, "all", "diverged"), 0);
    EXPECT_LT(seen.at(form, "all", "largest score of any round"), 20);
    EXPECT_GE(seen.at(form, "all", "largest score of any round"),
              seen.at(form, "all", "largest score at the end"));
  }
}

TEST(OnlineExperiments, MnistNodesLearnDigitsTheyNeverSaw) {
  const Results seen(online_kernel_mnist);
  const auto worst = [&](const char* series) { return seen.at("end", series, "worst node at the end"); };
  EXPECT_GT(worst("diffusion, all digits"), 0.85);
  EXPECT_GT(worst("diffusion, two digits a node"), 0.7);
  EXPECT_LT(worst("none, two digits a node"), 0.6);
}

TEST(OnlineExperiments, MemoryIsFlat) {
  const Results seen(online_kernel_memory);
  EXPECT_NEAR(seen.at("5000", "diffusion", "resident, end / first"), 1, 0.1);
  EXPECT_GT(seen.at("5000", "diffusion", "accuracy / Bayes"), 0.95);
}

}  // namespace
}  // namespace choir
