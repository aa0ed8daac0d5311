#include "choir/learn/federated_kmeans/appraisal.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir::federated_kmeans {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Findings fine() {
  Findings findings;
  findings.dimension = 20;
  findings.cluster_sizes = {40, 60};
  findings.silhouette = 0.241;
  findings.kept = KeptTrace{.rank = 20, .of_kernel = 0.92, .of_features = 0.958};
  return findings;
}

std::vector<std::string> weaknesses_with(const std::function<void(Findings&)>& spoil,
                                         const Options& options = {}) {
  Findings findings = fine();
  spoil(findings);
  return assess(findings, options).weaknesses;
}

TEST(ClusterAppraisal, FindsNothingWrongWithAGoodAnswer) {
  EXPECT_TRUE(assess(fine(), {}).good());
  EXPECT_THAT(weaknesses_with([](Findings& f) { f.silhouette.reset(); }), IsEmpty()) << "a single cluster";
  EXPECT_THAT(weaknesses_with([](Findings& f) { f.kept.reset(); }), IsEmpty());
}

TEST(ClusterAppraisal, NamesWhatSpeaksAgainstAnAnswerAndWhatHelps) {
  EXPECT_THAT(weaknesses_with([](Findings& f) { f.unfinished_swaps = true; }),
              ElementsAre(HasSubstr("may have missed its optimum")));
  EXPECT_THAT(weaknesses_with([](Findings& f) { f.silhouette = 0.03; }),
              ElementsAre(HasSubstr("their silhouette is 0.030")));
  EXPECT_THAT(weaknesses_with([](Findings& f) {
                f.cluster_sizes = {40, 0, 60};
              }),
              ElementsAre(HasSubstr("cluster 1 has no samples")));
  EXPECT_THAT(weaknesses_with([](Findings& f) {
                f.cluster_sizes = {0, 0, 60};
              }),
              ElementsAre(HasSubstr("clusters 0, 1 have no samples")));
  EXPECT_THAT(weaknesses_with([](Findings& f) { f.kept->of_features = 0.46; }),
              ElementsAre(HasSubstr("keeps 46.0% of what its landmarks carry")));
  EXPECT_THAT(weaknesses_with([](Findings& f) { f.kept->of_kernel = 0.05; }),
              ElementsAre(HasSubstr("keeps 5.0% of the kernel's trace")));
  EXPECT_THAT(weaknesses_with([](Findings& f) { f.kept->of_kernel = 0.05; },
                              {.embedding = Embedding::random_features}),
              ElementsAre(HasSubstr("raise --n-features")));
}

TEST(ClusterAppraisal, SaysThatAPlateauOfSilhouettesIsNoChoice) {
  const auto tried = [](Findings& f, Index most) {
    for (Index k = 2; k <= most; ++k) f.tried.push_back({.clusters = k, .silhouette = 0.1});
    f.tried[f.cluster_sizes.size() - 2].silhouette = 0.12;
  };
  EXPECT_THAT(weaknesses_with([&](Findings& f) {
                f.cluster_sizes = {1, 1, 1};
                tried(f, 3);
              }),
              ElementsAre(HasSubstr("of 3 clusters is the largest, but no more were tried")));
  EXPECT_THAT(weaknesses_with([&](Findings& f) {
                f.cluster_sizes = {1, 1, 1};
                tried(f, 5);
                f.tried[2].silhouette = 0.115;
              }),
              ElementsAre(HasSubstr("hardly larger than that of one cluster more or fewer")));
  EXPECT_THAT(weaknesses_with([&](Findings& f) { tried(f, 3); }), IsEmpty());
}

TEST(ClusterAppraisal, SaysInWordsWhatWasFoundAndChosen) {
  Findings findings = fine();
  EXPECT_EQ(appraisal_words(findings),
            "an embedding of 20 numbers per sample keeps 92.0% of the kernel's trace; silhouette 0.241\n");
  EXPECT_EQ(appraisal_words({}), "");
  EXPECT_EQ(
      rank_words(findings, {}),
      "--rank auto: 20 eigenvectors keep 95.8% of what the landmarks carry, which is 92.0% of the kernel's "
      "trace");
  EXPECT_EQ(rank_words(findings, {.rank = 20}), "");
  EXPECT_EQ(tried_words(findings), "");
  findings.tried = {{.clusters = 2, .silhouette = 0.241}, {.clusters = 3, .silhouette = 0.2}};
  EXPECT_EQ(tried_words(findings), "--n-clusters auto: 2, by the silhouettes 2: 0.241, 3: 0.200");
}

}  // namespace
}  // namespace choir::federated_kmeans
