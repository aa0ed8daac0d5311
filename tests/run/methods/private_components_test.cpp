// consensus-kpca and gossip-pca under --privacy as runs: what is chosen, refused and said.
#include <string>

#include "run/jobs.h"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/run/run.h"

namespace choir {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Named;
using ::testing::SizeIs;

struct PrivateMethod {
  std::string name;
  Named options;
};

const PrivateMethod landmarks{"consensus-kpca", {{"gamma", 0.1}, {"privacy", 1.0}, {"clip", 5.0}}};
const PrivateMethod random_features{
    "consensus-kpca", {{"gamma", 0.1}, {"privacy", 1.0}, {"share", "random-features"}, {"n-features", 60}}};
const PrivateMethod pca{"gossip-pca", {{"privacy", 1.0}, {"clip", 5.0}}};
const PrivateMethod features_of_a_kernel{
    "gossip-pca", {{"kernel", "rbf"}, {"gamma", 0.1}, {"privacy", 1.0}, {"clip", 5.0}}};
const std::vector<PrivateMethod> all_methods_here = {landmarks, random_features, pca, features_of_a_kernel};

// Of options that are given twice the first counts.
Job job_of(const PrivateMethod& method, const Samples& samples, Named more = {}) {
  more.insert(more.end(), method.options.begin(), method.options.end());
  return testing::make_job(method.name, {samples}, more,
                           {{"nodes", 4}, {"engine", "sim"}, {"n-components", 2}});
}

std::string refusal(const PrivateMethod& method, const Named& more) {
  const Samples samples = testing::blobs(4, 200);
  return testing::refusal_of(job_of(method, samples, more));
}

TEST(PrivateComponents, AResultHasWhatWasReleasedAndNothingElse) {
  const Samples samples = testing::blobs(4, 200);
  for (const PrivateMethod& method : all_methods_here) {
    const Result result = choir::Run(job_of(method, samples)).execute();
    ASSERT_TRUE(result.privacy) << method.name;
    EXPECT_EQ(result.privacy->asked.epsilon, 1.0);
    EXPECT_FALSE(result.privacy->releases.empty());
    EXPECT_EQ(result.converged, true);
    EXPECT_EQ(result.eigenvalues.size(), 2);
    EXPECT_FALSE(result.residual);
    EXPECT_FALSE(result.change);
    EXPECT_FALSE(result.assessment);
    EXPECT_FALSE(result.between_node_variance);
    EXPECT_THAT(result.consensus_gap, IsEmpty());
    EXPECT_THAT(result.metrics, IsEmpty());
    EXPECT_THAT(result.quality, IsEmpty());
    EXPECT_EQ(result.facts.find("kernel_error"), nullptr);
    EXPECT_THAT(result.models, SizeIs(4));
  }
}

TEST(PrivateComponents, OneNodeAloneAndTwoGetAnAnswer) {
  const Samples samples = testing::blobs(4, 200);
  for (const PrivateMethod& method : all_methods_here) {
    for (const int nodes : {1, 2}) {
      const Result result = choir::Run(job_of(method, samples, {{"nodes", nodes}})).execute();
      EXPECT_EQ(result.eigenvalues.size(), 2) << method.name;
    }
  }
}

TEST(PrivateComponents, LandmarksAreAHundredUnlessTheirNumberIsGiven) {
  const Samples samples = testing::blobs(4, 200);
  for (const PrivateMethod& method : {landmarks, features_of_a_kernel}) {
    const auto points = [&](const Named& more) {
      const Result result = choir::Run(job_of(method, samples, more)).execute();
      return std::get<KernelModel>(result.models[0].make().answer()).points.cols();
    };
    EXPECT_EQ(points({}), 100);
    EXPECT_EQ(points({{"n-landmarks", 400}}), 400);
  }
}

TEST(PrivateComponents, OptionsThatDecideNothingAreRefused) {
  EXPECT_THAT(refusal(landmarks, {{"min-count", 5}}),
              HasSubstr("--min-count decides nothing with --privacy"));
  const Named of_gossip = {{"schedule", "tree"}, {"links", "plain"}, {"messages-per-node", 5},
                           {"interval", "5ms"},  {"window", 5},      {"merge", "late"},
                           {"carry", 7},         {"max-t", 2},       {"ritz-values", "diagonal"},
                           {"min-count", 5},     {"tol", 0.1}};
  for (const auto& option : of_gossip)
    EXPECT_THAT(refusal(pca, {option}), HasSubstr(fmt::format("--{} decides nothing", option.first)));
  EXPECT_THAT(refusal(pca, {{"stream", "50@100ms"}}), HasSubstr("omit --stream"));
}

TEST(PrivateComponents, WithoutAClipItIsAskedFor) {
  EXPECT_THAT(refusal({"gossip-pca", {{"privacy", 1.0}}}, {}), HasSubstr("use --clip"));
  EXPECT_THAT(refusal({"consensus-kpca", {{"gamma", 0.1}, {"privacy", 1.0}}}, {}), HasSubstr("use --clip"));
}

TEST(PrivateComponents, GossipWaitsForEverybodyAndShowsNobodysSamples) {
  const Samples few = testing::blobs(4, 8);
  choir::Run run(job_of(pca, few));
  EXPECT_THAT(run.plan().exposes, IsEmpty());
  EXPECT_THAT(run.plan().leaves_a_node, ::testing::ElementsAre("masked", "totals", "control"));
  EXPECT_EQ(run.execute().converged, true);
}

TEST(PrivateComponents, ComponentsThatTheNoiseMayHaveMadeAreSaid) {
  const Samples samples = testing::blobs(4, 200);
  const auto notes = [&](double epsilon) {
    return choir::Run(job_of(pca, samples, {{"privacy", epsilon}})).execute().notes;
  };
  EXPECT_THAT(notes(0.1), Contains(HasSubstr("above the noise of differential privacy")));
  EXPECT_THAT(notes(1e6), IsEmpty());
}

}  // namespace
}  // namespace choir
