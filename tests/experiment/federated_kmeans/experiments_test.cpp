// What must hold in the quick form of every experiment of federated-kmeans, whatever the sizes.
#include "choir/experiment/federated_kmeans/experiments.h"

#include "experiment/quick_results.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using Results = testing::QuickResults;

TEST(FederatedKmeansExperiments, Thm2NewFeaturesConvergeAndOneDrawDoesNot) {
  const Results seen(federated_kmeans_thm2);
  EXPECT_LT(seen.at("10 to 40", "fea", "slope"), -0.8);
  EXPECT_NEAR(seen.at("10 to 40", "one draw", "slope"), 0, 1e-9);
  EXPECT_LT(seen.at("40", "fea", "squared error"), 0.1 * seen.at("40", "one draw", "squared error"));
  EXPECT_GT(seen.at("40", "fea, D / 4", "directions"), 20);
  EXPECT_EQ(seen.at("40", "fea, D / 4, at most 20 directions", "directions"), 20);
  EXPECT_GT(seen.at("40", "fea, D / 4", "squared error"), seen.at("40", "fea", "squared error"));
}

TEST(FederatedKmeansExperiments, Thm3RoutesSendWhatTheirSizesSay) {
  const Results seen(federated_kmeans_thm3);
  constexpr double devices = 10, rank = 10, drawn = 60;
  constexpr const char* numbers = "thousand numbers for eigenvectors";
  double gram = 0, capped = 0;
  for (const double size : {drawn, drawn + rank, drawn + rank, drawn + rank}) {
    gram += devices * (size * (size + 1) / 2 + 1);  // 1: how many samples there are behind an answer
    capped += devices * (rank + 5) * (size + size + 1);
  }
  for (const char* samples : {"200", "400"}) {
    EXPECT_EQ(seen.at(samples, "fea, gram", numbers), gram / 1000);
    EXPECT_EQ(seen.at(samples, "fea, capped-cela", numbers), capped / 1000);
    EXPECT_GT(seen.at(samples, "fea, cela", numbers), capped / 1000);
    EXPECT_EQ(seen.at(samples, "fea, capped-cela", "cheapest takes it"), 1);
    EXPECT_EQ(seen.at(samples, "nystroem, gram", "cheapest takes it"), 1);
    const double lambda = seen.at(samples, "fea, gram", "lambda / N");
    EXPECT_NEAR(seen.at(samples, "fea, cela", "lambda / N"), lambda, 1e-6 * lambda);
    EXPECT_LT(seen.at(samples, "fea, capped-cela", "lambda / N"), lambda);  // Ritz values come from below
    for (const char* series : {"fea, cela", "nystroem, cela"}) {
      EXPECT_LT(seen.at(samples, series, "BB' against gram's, relative"), 1e-6);
    }
  }
  EXPECT_DOUBLE_EQ(seen.at("400", "fea, centralising", numbers), 0.4 * (4 * drawn + 7 * rank));
}

TEST(FederatedKmeansExperiments, Thm4ClustersCostHardlyMoreThanCentralOnes) {
  const Results seen(federated_kmeans_thm4);
  const auto cost = [&](const char* drop_out, const char* series) {
    return seen.at(drop_out, series, "cost / central");
  };
  EXPECT_EQ(cost("0", "central"), 1);
  for (const char* dealt : {"iid", "by label"}) {
    const std::string suffix = std::string(", ") + dealt;
    EXPECT_LE(cost("0", ("nystroem" + suffix).c_str()), 1.005);
    EXPECT_LE(cost("0", ("nystroem, no server" + suffix).c_str()), 1.005);
    EXPECT_LE(cost("0", ("fea" + suffix).c_str()), 1.02);  // with 100 random features in five iterations
    EXPECT_LE(cost("0.3", ("fea" + suffix).c_str()), 1.03);
  }
  EXPECT_LT(seen.at("0", "fea, by label", "BB' against iid's, relative"), 1e-10);
  EXPECT_LT(seen.at("0", "nystroem, by label", "error / iid's"), 1.5);
  EXPECT_GT(seen.at("0.3", "fea, iid", "embedding error"), seen.at("0", "fea, iid", "embedding error"));
  EXPECT_EQ(seen.at("0.3", "fea, by label, k-means only", "embedding error"),
            seen.at("0", "fea, by label", "embedding error"));
  EXPECT_GT(seen.at("0", "nystroem, iid", "NMI"), 0.25);
}

TEST(FederatedKmeansExperiments, PrivacyIsInTheMasksAndInLargeTotals) {
  const Results seen(federated_kmeans_privacy);
  EXPECT_EQ(seen.at("5", "one device, unmasked", "share recovered"), 1);
  EXPECT_LT(seen.at("5", "one device, unmasked", "worst error of these"), 1e-4);
  EXPECT_GT(seen.at("20", "one device, unmasked", "share recovered"), 0.9);
  for (const char* samples : {"5", "20"}) {
    EXPECT_EQ(seen.at(samples, "one device, masked", "share recovered"), 0);
    EXPECT_GT(seen.at(samples, "one device, masked", "smallest residual"), 0.01);
  }
  EXPECT_GT(seen.at("5", "total of 10 devices", "share recovered"), 0.5);  // 50 samples, 120 features
  EXPECT_EQ(seen.at("20", "total of 10 devices", "share recovered"), 0);
}

}  // namespace
}  // namespace choir
