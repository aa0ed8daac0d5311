// oneshot-kpca as a run: what its options mean, what its result says.
#include "choir/learn/oneshot_kpca/oneshot_kpca.h"

#include <algorithm>

#include "run/jobs.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/run/run.h"

namespace choir {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Named;

Samples party_toy(Index features = 12, Index samples = 60) {
  Samples result = testing::normal_samples(features, samples, Purpose("oneshot-kpca run test"));
  for (Index n = 0; n < samples; n += 3) result.col(n).array() += 3;
  return result;
}

Job parties_job(const std::vector<Samples>& arrays, const Named& options) {
  Job job = testing::make_job("oneshot-kpca", {arrays.begin(), arrays.end()},
                              {{"gamma", 0.02}, {"n-components", 3}, {"engine", "sim"}}, options);
  const bool counted =
      std::ranges::any_of(options, [](const auto& option) { return option.first == "nodes"; });
  if (arrays.size() == 1 && !counted) job.options.emplace_back("nodes", 3);
  return job;
}

Result parties_result(const std::vector<Samples>& arrays, const Named& options) {
  return choir::Run(parties_job(arrays, options)).execute();
}

std::string parties_refusal(const std::vector<Samples>& arrays, const Named& options) {
  return testing::refusal_of(parties_job(arrays, options));
}

TEST(OneshotRun, SaysWhatItFound) {
  const std::vector<Samples> whole = {party_toy()};
  const Result result = parties_result(
      whole, {{"center", 1}, {"local-components", 20}, {"estimator", "product"}, {"yardsticks", true}});
  EXPECT_EQ(result.converged, true);
  EXPECT_EQ(result.samples, 60);
  EXPECT_EQ(result.features, 12);
  EXPECT_EQ(result.n_components, 3);
  EXPECT_EQ(result.call.resolved.at("topology"), "a star around node 1");
  EXPECT_EQ(result.call.resolved.at("by"), "features");
  EXPECT_EQ(result.facts.at("estimator").text(), "product");
  EXPECT_EQ(result.facts.find("left_out"), nullptr);
  EXPECT_LT(result.quality_numbers.at("subspace_error"), 0.5);
  EXPECT_THAT(result.text,
              AllOf(HasSubstr("in one place: subspace error"), HasSubstr("60 together; node 1 has"),
                    HasSubstr("claimed similarity"), HasSubstr("\nconverged, residual")));
  EXPECT_FALSE(result.embedding.has_value());
  std::vector<std::int64_t> columns;
  for (const NodeModel& model : result.models) {
    const auto part = std::get<KernelPart>(model.make().answer("shared"));
    columns.insert(columns.end(), part.columns.begin(), part.columns.end());
  }
  std::sort(columns.begin(), columns.end());
  EXPECT_THAT(columns, ::testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
}

TEST(OneshotRun, ChoosesTheEstimatorAndSaysSo) {
  const std::vector<Samples> whole = {party_toy()};
  const Result result = parties_result(whole, {{"yardsticks", true}});
  EXPECT_EQ(result.call.resolved.at("estimator"), "distances");
  EXPECT_EQ(result.facts.at("estimator").text(), "distances");
  EXPECT_THAT(result.text, HasSubstr("vectors per node: 4, 12 together"));
  EXPECT_LT(result.quality_numbers.at("subspace_error"), 1e-12);
  ASSERT_TRUE(result.assessment);
  EXPECT_EQ(result.assessment->claimed_similarity.minCoeff(), 1);
  EXPECT_TRUE(result.good());
}

// Both sentences, and that what they advise helps.
TEST(OneshotRun, SaysWhatHelpsIfTheAnswerIsWeakOrThePartiesDisagree) {
  const std::vector<Samples> whole = {party_toy(60, 60)};
  const auto sent = [&](Index vectors) {
    return parties_result(whole, {{"kernel", "linear"}, {"nodes", 2}, {"local-components", vectors}});
  };
  const Result weak = sent(5);
  EXPECT_FALSE(weak.good());
  ASSERT_FALSE(weak.assessment->weaknesses.empty());
  EXPECT_THAT(weak.assessment->weaknesses[0], HasSubstr("use --local-components 11 or more"));
  EXPECT_TRUE(sent(30).good());
  const auto gossiped = [&](Index messages) {
    return parties_result(whole, {{"fusion", "gossip"}, {"nodes", 6}, {"messages-per-node", messages}});
  };
  const Result apart = gossiped(6);  // of fewer, some parties do not hear of all, and a tree is used
  EXPECT_EQ(apart.converged, false);
  EXPECT_THAT(apart.what_helps, HasSubstr("use --fusion tree, or raise --messages-per-node"));
  EXPECT_EQ(gossiped(60).converged, true);
  EXPECT_TRUE(parties_result(whole, {{"fusion", "tree"}, {"nodes", 6}}).good());
}

TEST(OneshotRun, ValuesWhoseSquaresOverflowAreSaidAndScalingHelps) {
  const std::vector<Samples> huge = {party_toy() * 1e100};
  const auto scaled = [&](const Named& scaling) {
    Named options = {{"kernel", "linear"}, {"estimator", "distances"}};
    options.insert(options.end(), scaling.begin(), scaling.end());
    return parties_result(huge, options);
  };
  const Result lost = scaled({});
  EXPECT_FALSE(lost.good());
  EXPECT_THAT(lost.what_helps, HasSubstr("use --divide or --standardize zscore"));
  EXPECT_TRUE(scaled({{"divide", 1e100}}).good());
  EXPECT_TRUE(scaled({{"standardize", "zscore"}}).good());
}

TEST(OneshotRun, ALimitOfComponentsThatIsTooLowSaysWhatHelpsAndThatHelps) {
  const std::vector<Samples> whole = {party_toy()};
  const auto most = [&](Index limit, double share) {
    return testing::make_job("oneshot-kpca", {whole.begin(), whole.end()}, {{"nodes", 3}, {"engine", "sim"}},
                             {{"kernel", "linear"}, {"n-components", share}, {"max-components", limit}});
  };
  EXPECT_THAT(testing::failure_of(most(2, 0.9)), HasSubstr("raise max_components, ask for less"));
  EXPECT_TRUE(choir::Run(most(12, 0.9)).execute().good());
  EXPECT_TRUE(choir::Run(most(2, 0.2)).execute().good());
}

TEST(OneshotRun, WithoutACentreEverybodyHasTheAnswer) {
  const std::vector<Samples> whole = {party_toy()};
  const Result result = parties_result(whole, {{"fusion", "tree"}, {"yardsticks", true}});
  EXPECT_EQ(result.call.resolved.at("topology"), "complete");
  EXPECT_EQ(result.call.resolved.at("estimator"), "distances");
  EXPECT_THAT(result.text, HasSubstr("every node has the answer"));
  EXPECT_LT(result.quality_numbers.at("subspace_error"), 1e-7);
}

TEST(OneshotRun, DrawsItsScoresOnceAndForAPageOnly) {
  std::vector<Samples> whole = {party_toy()};
  Job job = parties_job(whole, {{"report", true}, {"center", 2}});
  job.data.labels.emplace_back();
  for (std::int64_t n = 0; n < 60; ++n) job.data.labels[0].push_back(n % 3);
  const Result result = choir::Run(std::move(job)).execute();
  ASSERT_TRUE(result.embedding.has_value());
  EXPECT_EQ(result.embedding->samples, 60);
  ASSERT_EQ(result.embedding->nodes.size(), 1u);
  EXPECT_EQ(result.embedding->nodes[0].name, "party 2, which has the answer");
  EXPECT_EQ(result.embedding->nodes[0].coordinates.rows(), 60);
  EXPECT_EQ(result.embedding->nodes[0].labels[4], 1);
}

TEST(OneshotRun, PartiesWithDataOfTheirOwnNeedAnOrder) {
  const Samples all = party_toy();
  const std::vector<Samples> parties = {all.topRows(4), all.middleRows(4, 4), all.bottomRows(4)};
  EXPECT_THAT(parties_refusal(parties, {}),
              AllOf(HasSubstr("same sample at every node"), HasSubstr("--assume-same-order")));
  EXPECT_THAT(parties_refusal(parties, {{"key", "name"}}), HasSubstr("--assume-same-order"));
  EXPECT_THAT(parties_refusal(parties, {{"key", "name"}, {"assume-same-order", true}}),
              HasSubstr("omit one of them"));
  const Result result = parties_result(parties, {{"assume-same-order", true}, {"fusion", "tree"}});
  const Result dealt = parties_result({all}, {{"fusion", "tree"}});
  EXPECT_TRUE(result.eigenvalues.isApprox(dealt.eigenvalues, 1e-8));
}

TEST(OneshotRun, RefusesWhatCannotBe) {
  const std::vector<Samples> whole = {party_toy()};
  EXPECT_THAT(parties_refusal(whole, {{"local-components", "some"}}),
              AllOf(HasSubstr("some"), HasSubstr("adaptive")));
  EXPECT_THAT(parties_refusal(whole, {{"local-components", 0}}), HasSubstr("positive integer"));
  EXPECT_THAT(parties_refusal(whole, {{"epsilon", 2}}), HasSubstr("--epsilon is '2'"));
  EXPECT_THAT(parties_refusal(whole, {{"tol", 0}}), HasSubstr("--tol is '0'; it must be positive"));
  EXPECT_THAT(parties_refusal(whole, {{"center", -1}}), HasSubstr("--center is '-1'"));
  EXPECT_THAT(parties_refusal(whole, {{"kernel", "poly"}, {"estimator", "product"}}), HasSubstr("distances"));
  EXPECT_THAT(parties_refusal(whole, {{"precision", "float32"}}),
              HasSubstr("'precision' is not an option here"));
}

}  // namespace
}  // namespace choir
