// Clusters of devices as a run: what is said, counted and kept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/run/run.h"

namespace choir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr Index samples_per_device = 60;

// Two clusters far from each other, with labels 5 and 9; every device has as many of each.
Job job_of(std::vector<Samples>& shards) {
  Rng random(2, Purpose("federated-kmeans as a run"));
  Job job;
  job.method = "federated-kmeans";
  shards.assign(4, Samples(2, samples_per_device));
  for (Samples& shard : shards) {
    std::vector<std::int64_t> labels;
    for (Index n = 0; n < shard.cols(); ++n) {
      labels.push_back(n % 2 == 0 ? 5 : 9);
      for (double& value : shard.col(n)) value = 0.2 * random.normal() + (n % 2 == 0 ? 0 : 3);
    }
    job.data.labels.push_back(std::move(labels));
  }
  for (const Samples& shard : shards) job.data.arrays.emplace_back(shard);
  job.options = {{"gamma", 0.5}, {"n-clusters", 2}, {"n-landmarks", 20}, {"rank", 6}};
  return job;
}

TEST(FederatedKmeansRun, SaysHowGoodTheClustersAreAndWhatLeftADevice) {
  std::vector<Samples> shards;
  Job job = job_of(shards);
  job.options.emplace_back("yardsticks", true);
  const Result result = choir::Run(std::move(job)).execute();
  EXPECT_THAT(result.text, HasSubstr("2 clusters of 120, 120 samples; inertia"));
  EXPECT_THAT(result.text, HasSubstr("accuracy 1.0000"));
  EXPECT_THAT(result.text, HasSubstr("of its cost"));
  EXPECT_THAT(result.text, HasSubstr("sums, masked; converged after"));
  EXPECT_THAT(result.text, HasSubstr("sent per device (mean): no raw samples"));
  EXPECT_THAT(result.text, HasSubstr("; by the server"));
  EXPECT_THAT(result.text, Not(HasSubstr("refused")));
  EXPECT_NEAR(result.quality_numbers.at("cost_ratio"), 1, 1e-6);
  EXPECT_EQ(result.nodes, 4);
  EXPECT_EQ(result.call.resolved.at("masks"), "on");
  ASSERT_EQ(result.models.size(), 1u) << "all have the same";
  EXPECT_EQ(result.models.front().node, 0);
  EXPECT_TRUE(result.assessment && result.assessment->good());
  EXPECT_EQ(result.facts.at("rank").number(), 6);
  EXPECT_THAT(result.text, HasSubstr("numbers per sample keeps"));
}

TEST(FederatedKmeansRun, CountsLabelsAgainstClusters) {
  std::vector<Samples> shards;
  const Result result = choir::Run(job_of(shards)).execute();
  ASSERT_TRUE(result.confusion);
  EXPECT_EQ(result.confusion->rows_are, "labels");
  EXPECT_EQ(result.confusion->columns_are, "clusters");
  EXPECT_THAT(result.confusion->rows, ElementsAre(5, 9));
  EXPECT_THAT(result.confusion->columns, ElementsAre(0, 1));
  Index all = 0;
  for (const auto& row : result.confusion->counts) {
    for (const std::int64_t count : row) all += count;
  }
  EXPECT_EQ(all, 4 * samples_per_device);
  ASSERT_EQ(result.numbers.size(), 4u);
  EXPECT_EQ(result.numbers.front().name, "labels");
  EXPECT_EQ(result.numbers.front().values.size(), static_cast<std::size_t>(samples_per_device));
}

TEST(FederatedKmeansRun, HasALineForEverySum) {
  std::vector<Samples> shards;
  const Result result = choir::Run(job_of(shards)).execute();
  ASSERT_GT(result.metrics.size(), 2u);
  EXPECT_EQ(result.facts.at("sums").number(), static_cast<double>(result.metrics.size()));
  EXPECT_EQ(result.metrics[1].at("round").number(), 2);
  EXPECT_EQ(result.metrics[1].at("answered").number(), 4);
  EXPECT_EQ(result.metrics[1].at("silent").number(), 0);
  EXPECT_EQ(result.metrics[1].find("silent_devices"), nullptr);
}

TEST(FederatedKmeansRun, WithoutAServerAnyNetworkWillDo) {
  std::vector<Samples> shards;
  Job job = job_of(shards);
  job.options.emplace_back("coordination", "gossip");
  job.options.emplace_back("topology", "ring:2");
  const Result result = choir::Run(std::move(job)).execute();
  EXPECT_THAT(result.text, HasSubstr("no server; "));
  EXPECT_EQ(result.facts.find("sent_by_devices"), nullptr);
  EXPECT_EQ(result.if_longer, "--max-iter");
  Job star = job_of(shards);
  star.options.emplace_back("topology", "ring:2");
  EXPECT_THROW(choir::Run(std::move(star)), Error);
}

TEST(FederatedKmeansRun, FewMessagesAreWhatToRaise) {
  std::vector<Samples> shards;
  Job job = job_of(shards);
  job.options.emplace_back("coordination", "gossip");
  job.options.emplace_back("messages-per-node", 5);
  EXPECT_EQ(choir::Run(std::move(job)).settings().longer, "--messages-per-node");
}

TEST(FederatedKmeansRun, TheRunContinuesWithoutADeviceThatCrashed) {
  std::vector<Samples> shards;
  Job job = job_of(shards);
  job.options.emplace_back("engine", "sim");
  job.options.emplace_back("sim-crash", "1@20ms");
  job.options.emplace_back("patience", "100ms");
  job.options.emplace_back("lost-peers", "continue");
  const Result result = choir::Run(std::move(job)).execute();
  EXPECT_THAT(result.text, HasSubstr("up to 1 devices silent; "));
  ASSERT_GT(result.faults.size(), 1u);
  EXPECT_EQ(result.faults[0].what, "crashed");
  const Fault& silent = result.faults[1];
  EXPECT_EQ(silent.what, "silent");
  EXPECT_TRUE(silent.in_rounds);
  EXPECT_EQ(silent.node, 1);
  EXPECT_THAT(silent.words, HasSubstr("Device 1 was silent in sum"));
  EXPECT_THAT(silent.words, HasSubstr("formed without it."));
}

Job private_job(std::vector<Samples>& shards) {
  Job job = job_of(shards);
  job.options = {{"gamma", 0.5}, {"n-clusters", 2}, {"privacy", 4.0}};
  return job;
}

TEST(FederatedKmeansRun, UnderPrivacyKeepsNoisyFiguresAlone) {
  std::vector<Samples> shards;
  const Result result = choir::Run(private_job(shards)).execute();
  EXPECT_THAT(result.text, HasSubstr("samples, by noisy counts"));
  EXPECT_THAT(result.text, HasSubstr("6 noisy sums, masked; 5 iterations, as planned"));
  for (const char* word : {"samples; inertia", "accuracy", "mutual information", "silhouette 0"})
    EXPECT_THAT(result.text, Not(HasSubstr(word)));
  EXPECT_FALSE(result.confusion || result.assessment || result.change || result.converged);
  EXPECT_TRUE(result.numbers.empty() && result.metrics.empty() && result.quality_numbers.empty());
  for (const char* fact : {"inertia", "silhouette", "tried", "kept_of_kernel"})
    EXPECT_EQ(result.facts.find(fact), nullptr) << fact;
  ASSERT_TRUE(result.privacy);
  EXPECT_EQ(result.privacy->releases.size(), 6u);
  EXPECT_EQ(result.call.resolved.at("embedding"), "random-features");
  EXPECT_THAT(result.notes, ::testing::Contains(HasSubstr("the embedding is random-features (200 of them)")));
  EXPECT_EQ(result.call.resolved.at("n_features"), "200");
  EXPECT_EQ(result.call.resolved.at("max_iter"), "5");
  ASSERT_EQ(result.models.size(), 1u);
}

TEST(FederatedKmeansRun, UnderPrivacyChosenOptionsStayOrAreRefused) {
  std::vector<Samples> shards;
  Job job = private_job(shards);
  job.options.emplace_back("n-features", 40);
  job.options.emplace_back("max-iter", 300);  // what it is without --privacy, but chosen
  const Result result = choir::Run(std::move(job)).execute();
  EXPECT_EQ(result.call.resolved.at("n_features"), "40");
  ASSERT_TRUE(result.privacy);
  EXPECT_EQ(result.privacy->releases.size(), 301u);
  Job refused = private_job(shards);
  refused.options.emplace_back("embedding", "nystroem");
  try {
    choir::Run(std::move(refused)).execute();
    FAIL() << "landmarks are made of samples";
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::InvalidArgument);
    EXPECT_THAT(error.what(), HasSubstr("use --embedding random-features"));
  }
}

}  // namespace
}  // namespace choir
