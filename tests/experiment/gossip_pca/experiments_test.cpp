// What must hold in the quick form of every experiment of gossip-pca, whatever the sizes.
#include "choir/experiment/gossip_pca/experiments.h"

#include "experiment/quick_results.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

using Results = testing::QuickResults;

TEST(GossipExperiments, Fig1CarryingAllIsExactAndAsLatePca) {
  const Results seen(gossip_pca_fig1);
  EXPECT_LT(seen.at("30", "default", "E"), 1e-6);
  EXPECT_GT(seen.at("0", "default", "E"), 0.05);
  for (const char* point : {"5", "30"}) {
    const double late = seen.at(point, "late PCA", "E");
    EXPECT_NEAR(seen.at(point, "default", "E"), late, 1e-6 * late + 1e-14);
  }
  EXPECT_GT(seen.at("30", "printed, diag R", "E"), 1e-4);
}

TEST(GossipExperiments, Fig2TheMeanCostsThePrintedMethodADirection) {
  const Results seen(gossip_pca_fig2);
  EXPECT_LT(seen.at("30", "default", "E"), 1e-6);
  EXPECT_LT(seen.at("30", "printed, one more carried", "E"), 1e-6);
  EXPECT_GT(seen.at("30", "printed", "E"), 1e-4);
}

TEST(GossipExperiments, Fig3TheDefaultIsCloseToTheBestAndThePrintedMethodIsNot) {
  const Results seen(gossip_pca_fig3);
  EXPECT_GT(seen.at("30", "default, q = 2", "E"), seen.at("30", "E*, q = 2", "E"));
  EXPECT_LT(seen.at("30", "default, q = 2", "excess"), 1e-3);
  EXPECT_GT(seen.at("30", "printed, q = 2", "excess"), seen.at("30", "default, q = 2", "excess"));
}

TEST(GossipExperiments, Fig4ErrorsFallTowardsTheBest) {
  const Results seen(gossip_pca_fig4);
  for (const char* q : {"3", "10"}) {
    const std::string ours = fmt::format("default, q = {}", q);
    EXPECT_LT(seen.at("20", ours, "excess"), 0.01);
    EXPECT_GT(seen.at("0", ours, "excess"), 0.1);
    EXPECT_LT(seen.at("20", ours, "E"), seen.at("20", fmt::format("printed, q = {}", q), "E"));
  }
}

TEST(GossipExperiments, Fig5LargerNetworksNeedMoreMessages) {
  const Results seen(gossip_pca_fig5);
  EXPECT_GT(seen.at("12", "default", "messages"), seen.at("4", "default", "messages"));
}

TEST(GossipExperiments, Fig6DividedCoordinatesAreExact) {
  const Results seen(gossip_pca_fig6);
  EXPECT_LT(seen.at("30", "default", "E"), 1e-6);
  EXPECT_LT(seen.at("30", "default", "E"), seen.at("30", "printed, diag R", "E"));
}

TEST(GossipExperiments, Fig7ACompleteNetworkIsFasterThanATreeAndMergingOnceTakesTwoMessages) {
  const Results seen(gossip_pca_fig7);
  const auto messages = [&](const char* series) { return seen.at("10", series, "messages, default"); };
  EXPECT_LT(messages("complete"), messages("tree"));
  EXPECT_LT(messages("complete"), messages("broadcast"));
  EXPECT_LE(messages("tree, merged once"), 2);
  EXPECT_LT(seen.at("10", "tree, merged once", "E at the end, default"), 1e-12);
}

TEST(GossipExperiments, SkewNeedsMoreDirections) {
  const Results seen(gossip_pca_skew);
  const auto excess = [&](const char* carry, const char* series) {
    return seen.at(carry, series, "excess at 25 messages");
  };
  EXPECT_LT(excess("20", "sorted by digit, q = 10"), excess("10", "sorted by digit, q = 10"));
  EXPECT_LT(excess("20", "like nodes, q = 10"), excess("20", "sorted by digit, q = 10"));
}

TEST(GossipExperiments, LossCostsAccuracyOnlyWithoutAcknowledgements) {
  const Results seen(gossip_pca_loss);
  const auto error = [&](const char* series) { return seen.at("80", series, "error of the mean"); };
  EXPECT_GT(error("10% lost, plain"), 5e-3);
  EXPECT_LT(error("10% lost, acknowledged"), 0.1 * error("10% lost, plain"));
  EXPECT_LT(error("10% lost, acknowledged, a message a second"), 0.1 * error("10% lost, acknowledged"));
  EXPECT_NEAR(seen.at("80", "10% lost, acknowledged", "mass at the end"), 1, 1e-9);
  EXPECT_LT(seen.at("80", "10% lost, plain", "mass at the end"), 0.9);
}

TEST(GossipExperiments, CrashLeavesWhatHadBeenTold) {
  const Results seen(gossip_pca_crash);
  const auto error = [&](const char* series) { return seen.at("30", series, "excess, against all samples"); };
  EXPECT_LT(error("crash after 15 messages"), error("crash after 2 messages"));
  EXPECT_LT(error("no crash"), 0.01);
}

TEST(GossipExperiments, JoinEndsWhereAllFromTheStartEnd) {
  const Results seen(gossip_pca_join);
  const auto error = [&](const char* point, const char* series) {
    return seen.at(point, series, "excess, against all samples");
  };
  EXPECT_GT(error("20", "a tenth joins after 20 messages"), error("20", "all from the start") + 0.01);
  EXPECT_LT(error("50", "a tenth joins after 20 messages"), error("50", "all from the start") + 0.01);
}

TEST(GossipExperiments, DriftIsFollowedByForgetting) {
  const Results seen(gossip_pca_drift);
  const auto error = [&](const char* series) { return seen.at("60", series, "subspace error"); };
  EXPECT_LT(error("half-life 10 messages"), 0.5 * error("nothing is forgotten"));
}

TEST(GossipExperiments, KernelErrorsAreThoseOfTheFeaturesAndGossipAddsNone) {
  const Results seen(gossip_pca_kernel);
  for (const char* features : {"60 landmarks", "200 random"}) {
    const double pooled = seen.at(features, "the same features in one place", "error of the scores");
    // Less is chance: the tenth component is hardly separated from the eleventh.
    const double by_gossip = seen.at(features, "gossip", "error of the scores");
    EXPECT_LE(by_gossip, 1.02 * pooled) << features;
    EXPECT_GE(by_gossip, 0.6 * pooled) << features;
  }
}

TEST(GossipExperiments, ScaleCountsWhatWasDone) {
  const Results seen(gossip_pca_scale);
  EXPECT_LT(seen.at("20", "default", "excess error"), 0.01);
  const double share = seen.at("20", "default", "share of the time in merges");
  EXPECT_GT(share, 0);
  EXPECT_LT(share, 1);
}

}  // namespace
}  // namespace choir
