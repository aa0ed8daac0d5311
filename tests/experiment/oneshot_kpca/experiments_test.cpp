// What must hold in the quick form of every experiment of oneshot-kpca, whatever the sizes.
#include "choir/experiment/oneshot_kpca/experiments.h"

#include <cmath>

#include "experiment/quick_results.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using Results = testing::QuickResults;

TEST(OneshotExperiments, Fig2IsExactWherePartiesSendAllAndDistancesAreBetterOnImages) {
  const Results seen(oneshot_kpca_fig2);
  const auto linear = [&](const char* parties) { return seen.at(parties, "D_j = 10", "error, linear"); };
  EXPECT_LT(linear("1"), 1e-12);
  EXPECT_LT(linear("20"), 1e-12);  // M_j = 10
  EXPECT_GT(linear("10"), 1e-5);

  const auto error = [&](const char* series) { return seen.at("28", series, "error, images"); };
  EXPECT_LT(error("distances, k = 15"), 0.5 * error("D_j = 15"));
  EXPECT_LT(error("D_j = 15"), error("D_j = 10"));
  for (const char* series : {"D_j = 10", "D_j = 15", "adaptive", "default", "distances, k = 15"}) {
    EXPECT_GT(seen.at("28", series, "smallest eigenvalue / first, images"), -1e-12) << series;
  }
  // At D_j = D the mean takes a direction, even for one party.
  EXPECT_GT(seen.at("1", "D_j = 10", "error, images"), 0.1);
}

TEST(OneshotExperiments, Fig3AdaptivePartiesAreBetterForLess) {
  const Results seen(oneshot_kpca_fig3);
  const auto at = [&](const char* series, const char* quantity) { return seen.at("120", series, quantity); };
  EXPECT_LT(at("adaptive", "error, images"), at("D_j = 15", "error, images"));
  EXPECT_LT(at("adaptive", "vectors, images"), at("D_j = 15", "vectors, images"));
  EXPECT_LT(at("adaptive", "error, linear"), 1e-4);
  EXPECT_GT(at("D_j = 10", "error, linear"), 1e-4);
  EXPECT_GT(at("D_j = 5", "error, pixels"), at("D_j = 15", "error, pixels"));
}

TEST(OneshotExperiments, Table2AClassifierSeesNoDifferenceToKernelPcaAndOneToPca) {
  const Results seen(oneshot_kpca_table2);
  for (const std::string pair : {"3 against 8", "5 against 8"}) {
    const auto error = [&](const char* series) { return seen.at("50", series, "error rate, " + pair); };
    for (const char* series : {"DKPCA, D_j = D + 10", "DKPCA, adaptive"}) {
      EXPECT_LE(std::abs(seen.at(pair, series, "largest difference of error rates DKPCA - KPCA")), 0.005);
      EXPECT_LT(error(series) + 0.01, error("PCA"));
    }
    EXPECT_GT(error("KPCA"), 0.01);
    EXPECT_LT(error("KPCA"), 0.1);
  }
}

TEST(OneshotExperiments, DecentralisedMoreDirectionsHelpAndLostMessagesAreSentAgain) {
  const Results seen(oneshot_kpca_decentralised);
  for (const char* series : {"tree", "gossip", "gossip, 10% lost, 120 messages"}) {
    EXPECT_LT(seen.at("45", series, "error"), 0.1 * seen.at("15", series, "error")) << series;
  }
  const auto sent = [&](const char* series) { return seen.at("45", series, "KiB sent a party"); };
  EXPECT_LT(sent("centre, product, D_j = 15"), sent("tree"));
  EXPECT_LT(sent("tree"), sent("gossip"));
  EXPECT_LT(sent("gossip"), sent("gossip, 10% lost"));
}

}  // namespace
}  // namespace choir
