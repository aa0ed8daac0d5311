// gossip-pca as a run: what its options mean, what its result says. The simulator's clock is not the
// machine's: the same every time.
#include "choir/learn/gossip_pca/gossip_pca.h"

#include "run/jobs.h"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/run/run.h"

namespace choir {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::Named;
using ::testing::Not;

// Three directions matter more than the others.
Samples toy(Index features = 6, Index samples = 120) {
  Samples result = testing::normal_samples(features, samples, Purpose("gossip-pca run test"));
  for (Index d = 0; d < 3; ++d) result.row(d) *= static_cast<double>(9 - 2 * d);
  return result;
}

Job gossip_job(const Samples& samples, const Named& options) {
  return testing::make_job("gossip-pca", {samples}, {{"nodes", 4}, {"engine", "sim"}}, options);
}

Result result_of(const Samples& samples, const Named& options) {
  return choir::Run(gossip_job(samples, options)).execute();
}

std::string refusal(const Named& options) {
  const Samples samples = toy();
  return testing::refusal_of(gossip_job(samples, options));
}

TEST(GossipRun, SaysBeforeAnythingIsSentWhoseSamplesASummaryShows) {
  const Samples few = toy(6, 24);  // 6 at each node, and 6 directions
  bool sent = false;
  bool said = false;
  RunHooks hooks;
  hooks.note = [&](const std::string& sentence) {
    EXPECT_FALSE(sent);
    said = said || sentence.find("nodes 0, 1, 2, 3 have so few samples") == 0;
  };
  hooks.audit = [&](NodeId, NodeId, const Message&) { sent = true; };
  choir::Run run(gossip_job(few, {{"n-components", 3}}), {}, hooks);
  EXPECT_THAT(run.plan().words(), HasSubstr("nodes 0, 1, 2, 3 have so few samples"));
  const Result result = run.execute();
  EXPECT_TRUE(said && sent);
  EXPECT_NE(result.facts.find("exposes"), nullptr);
  const Samples enough = toy();
  choir::Run many(gossip_job(enough, {{"n-components", 3}}));
  EXPECT_THAT(many.plan().exposes, ::testing::IsEmpty());
}

TEST(GossipRun, SaysWhatItFound) {
  const Samples samples = toy();
  const Result result = result_of(samples, {{"n-components", 3}, {"tol", 1e-2}, {"yardsticks", true}});
  EXPECT_EQ(result.converged, true);
  EXPECT_EQ(result.n_components, 3);
  EXPECT_EQ(result.call.resolved.at("topology"), "complete");
  EXPECT_EQ(result.call.resolved.at("features"), "none");
  EXPECT_EQ(result.facts.at("partition").text(), "samples");
  EXPECT_EQ(result.facts.at("carry").number(), 8);
  EXPECT_NEAR(result.facts.at("mass").number(), 1, 1e-12);
  EXPECT_GT(result.facts.at("messages_per_node").number(), 1);
  EXPECT_LT(result.quality_numbers.at("excess_error"), 0.05);
  EXPECT_EQ(result.quality_numbers.count("mean_error"), 1u);
  EXPECT_THAT(result.text,
              AllOf(HasSubstr("against PCA of all data in one place"), HasSubstr("\nsettled after"),
                    HasSubstr("no raw samples, no centroids, masked")));
  EXPECT_EQ(result.if_longer, "--messages-per-node");
  ASSERT_EQ(result.models.size(), 4u);
  EXPECT_EQ(components(result.models[3].make().answer("shared")), 3);
}

TEST(GossipRun, RecordsEveryWindowOfEveryNode) {
  const Samples samples = toy();
  const Named options = {{"tol", 0}, {"messages-per-node", 20}};
  const Result plain = result_of(samples, options);
  ASSERT_FALSE(plain.metrics.empty());
  EXPECT_EQ(plain.metrics.front().at("window").number(), 1);
  EXPECT_EQ(plain.metrics.front().find("error"), nullptr);
  Named compared = options;
  compared.emplace_back("yardsticks", true);
  const Result measured = result_of(samples, compared);
  EXPECT_EQ(measured.metrics.size(), plain.metrics.size() + 4);  // the start of each node
  EXPECT_EQ(measured.metrics.front().at("window").number(), 0);
  EXPECT_EQ(measured.metrics.front().at("sent").number(), 0);
  EXPECT_EQ(measured.metrics.front().find("change"), nullptr);
  for (const Facts& line : measured.metrics) EXPECT_NE(line.find("error"), nullptr);
}

TEST(GossipRun, OfFixedLengthNeitherSettlesNorFails) {
  const Samples samples = toy();
  const Result result = result_of(samples, {{"tol", 0}, {"messages-per-node", 7}});
  EXPECT_EQ(result.converged, std::nullopt);
  const double sent = result.facts.at("messages_per_node").number();
  EXPECT_GE(sent, 7) << "answers to nodes that are behind come on top";
  EXPECT_THAT(
      result.text,
      EndsWith(fmt::format("\n{:.1f} messages per node (mean), a run of fixed length, not refined", sent)));
  const Result torn = result_of(samples, {{"messages-per-node", 7}, {"sim-partition", "0..1@0s..1000s"}});
  EXPECT_EQ(torn.converged, false);
  EXPECT_THAT(torn.text, HasSubstr("\nNOT settled after "));
}

TEST(GossipRun, OfCoordinatesHasPartsThatKnowTheirColumns) {
  const Samples samples = toy(8);
  const Result result = result_of(samples, {{"partition", "coordinates"}, {"yardsticks", true}});
  EXPECT_EQ(result.call.resolved.at("by"), "features");
  EXPECT_EQ(result.quality_numbers.count("mean_error"), 0u);
  EXPECT_LT(result.quality_numbers.at("excess_error"), 0.05);
  std::vector<std::int64_t> columns;
  for (const NodeModel& model : result.models) {
    const auto part = std::get<LinearPart>(model.make().answer("shared"));
    columns.insert(columns.end(), part.columns.begin(), part.columns.end());
  }
  EXPECT_THAT(columns, ::testing::UnorderedElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(GossipRun, AlongATreeCountsMessagesInTheLedger) {
  const Samples samples = toy();
  const Result result = result_of(samples, {{"schedule", "tree"}});
  // Three links: public keys up and those of all down, a question, its answer, and what follows from all
  // answers.
  EXPECT_EQ(result.facts.at("messages_per_node").number(), 3.75);
  EXPECT_EQ(result.facts.at("refinement_steps").number(), 1);
  const Result fixed = result_of(samples, {{"schedule", "tree"}, {"tol", 0}});
  EXPECT_EQ(fixed.facts.at("messages_per_node").number(), 1.5);  // there and back
  EXPECT_NEAR(fixed.facts.at("mass").number(), 1, 1e-12);
  EXPECT_NEAR(result.facts.at("mass").number(), 1, 1e-12);
  EXPECT_EQ(result_of(samples, {{"schedule", "master"}}).call.resolved.at("topology"), "star");
}

TEST(GossipRun, TakesTheMethodsOwnOptions) {
  const Samples samples = toy();
  gossip_pca::Options options;
  options.kernel.kind = KernelKind::rbf;
  options.gamma = parse_gamma("0.01");
  options.features = FeatureKind::random_features;
  options.n_features = 50;
  options.messages_per_node = 15;
  Job typed = Job::of(options);
  typed.data.arrays.emplace_back(samples);
  typed.options = {{"nodes", 4}, {"engine", "sim"}};
  const Result one = choir::Run(std::move(typed)).execute();
  const Result two = result_of(samples, {{"kernel", "rbf"},
                                         {"gamma", 0.01},
                                         {"features", "random-features"},
                                         {"n-features", 50},
                                         {"messages-per-node", 15}});
  EXPECT_EQ(one.facts.at("feature_map").text(), "random-features");
  EXPECT_EQ(one.call.resolved.at("gamma"), "0.01");
  EXPECT_EQ(one.eigenvalues, two.eigenvalues);
}

TEST(GossipRun, AKernelHasLandmarksUnlessTold) {
  const Samples samples = toy();
  const Result result = result_of(samples, {{"kernel", "rbf"}, {"n-landmarks", 20}});
  EXPECT_EQ(result.call.resolved.at("features"), "landmarks");
}

TEST(GossipRun, SamplesMayComeLittleByLittle) {
  const Samples samples = toy();
  const Result result = result_of(samples, {{"stream", "10@20ms"}, {"tol", 0}, {"messages-per-node", 40}});
  EXPECT_NEAR(result.facts.at("mass").number(), 1, 1e-12);
}

// A flat spectrum: ten products with three columns do not find its leading directions.
TEST(GossipRun, AWeakAnswerSaysWhatHelpsAndThatHelps) {
  const Samples samples = testing::normal_samples(400, 1200, Purpose("gossip-pca flat"));
  const Named few = {{"n-components", 3}, {"carry", 3}};
  const Result weak = result_of(samples, few);
  ASSERT_TRUE(weak.assessment);
  EXPECT_FALSE(weak.good());
  ASSERT_EQ(weak.assessment->weaknesses.size(), 1u);
  EXPECT_THAT(weak.assessment->weaknesses[0], HasSubstr("raise --carry, which is 3"));
  const Result better = result_of(samples, {{"n-components", 3}, {"carry", 40}});
  EXPECT_TRUE(better.good());
}

TEST(GossipRun, APartThatStaysCutOffIsNoticed) {
  const Samples samples = toy();
  const Result torn = result_of(samples, {{"sim-partition", "0..1@0s..1000s"}});
  EXPECT_FALSE(torn.good());
  EXPECT_FALSE(torn.assessment);
  EXPECT_THAT(torn.what_helps, HasSubstr("run it again when all nodes can be reached"));
  EXPECT_TRUE(result_of(samples, {}).good()) << "following the advice helps";
  const Result healed = result_of(samples, {{"sim-partition", "0..1@0s..4s"}});
  EXPECT_TRUE(healed.good());
}

TEST(GossipRun, AKernelThatItsFeaturesDoNotShowIsWeakAndTheAdviceHelps) {
  const Samples samples = toy();
  const Named kernel = {{"kernel", "rbf"}, {"gamma", 0.002}, {"n-components", 2}};
  Named few = kernel;
  few.emplace_back("n-landmarks", 4);
  const Result weak = result_of(samples, few);
  EXPECT_EQ(weak.converged, true);
  EXPECT_FALSE(weak.good());
  EXPECT_THAT(weak.assessment->weaknesses.at(0), HasSubstr("raise --n-landmarks above 4"));
  Named more = kernel;
  more.emplace_back("n-landmarks", 80);
  EXPECT_TRUE(result_of(samples, more).good());
}

TEST(GossipRun, AKernelOfUnknownQualityHasNotConverged) {
  const Samples samples = toy();
  const Named kernel = {
      {"kernel", "rbf"}, {"gamma", 0.002}, {"features", "random-features"}, {"n-features", 400}};
  Named torn = kernel;
  torn.emplace_back("sim-partition", "0..1@0s..1000s");
  const Result unknown = result_of(samples, torn);
  EXPECT_EQ(unknown.converged, false);
  EXPECT_THAT(unknown.what_helps, HasSubstr("run it again when all nodes can be reached"));
  EXPECT_THAT(unknown.notes, ::testing::Contains(HasSubstr("nothing is claimed")));
  EXPECT_EQ(result_of(samples, kernel).converged, true);
}

TEST(GossipRun, AStreamThatIsTooShortSaysWhatHelpsAndThatHelps) {
  const Samples samples = toy();
  const Result brief = result_of(samples, {{"stream", "10@20ms"}, {"messages-per-node", 5}});
  EXPECT_FALSE(brief.good());
  EXPECT_EQ(brief.what_helps, "raise --messages-per-node or --tol");
  EXPECT_TRUE(result_of(samples, {{"stream", "10@20ms"}, {"messages-per-node", 300}}).good());
}

// A flat spectrum: ten steps with few columns, and the eigenvalues still grow.
TEST(GossipRun, ARefinementThatEndsTooSoonSaysWhatHelpsAndThatHelps) {
  const Samples samples = testing::normal_samples(400, 1200, Purpose("gossip-pca flat"));
  const auto refined = [&](Index carry, double tol) {
    return result_of(samples, {{"n-components", 1}, {"carry", carry}, {"tol", tol}});
  };
  const Result early = refined(2, 1e-9);
  EXPECT_EQ(early.converged, false);
  EXPECT_EQ(early.what_helps, "raise --carry, which is 2, or --tol");
  EXPECT_EQ(refined(40, 1e-9).converged, true);
  EXPECT_EQ(refined(2, 1e-2).converged, true);
}

TEST(GossipRun, WithoutANodeThatDiedItIsNotGoodAndTheOthersAloneAre) {
  const Samples samples = testing::normal_samples(6, 90, Purpose("gossip-pca run test"));
  const std::vector<SamplesView> four = {samples.leftCols(30), samples.middleCols(30, 20),
                                         samples.middleCols(50, 20), samples.rightCols(20)};
  const auto result_among = [](const std::vector<SamplesView>& shards, const Named& options) {
    return choir::Run(testing::make_job("gossip-pca", shards, {{"engine", "sim"}}, options)).execute();
  };
  const Result torn = result_among(four, {{"sim-crash", "3@1ms"}, {"messages-per-node", 4}});
  EXPECT_FALSE(torn.good());
  EXPECT_EQ(torn.what_helps, "run it again without the nodes that died, or when they are back");
  EXPECT_TRUE(result_among({four[0], four[1], four[2]}, {{"messages-per-node", 4}}).good());
  EXPECT_TRUE(result_among(four, {{"messages-per-node", 4}}).good());
}

TEST(GossipRun, TooFewRandomFeaturesAreSaidAndMoreOfThemOrLandmarksHelp) {
  const Samples samples = toy();
  const auto featured = [&](const Named& features) {
    Named options = {{"kernel", "rbf"}, {"gamma", 0.002}, {"n-components", 2}};
    options.insert(options.end(), features.begin(), features.end());
    return result_of(samples, options);
  };
  const Result weak = featured({{"features", "random-features"}, {"n-features", 30}});
  ASSERT_FALSE(weak.assessment->good());
  EXPECT_THAT(weak.assessment->weaknesses[0],
              HasSubstr("raise --n-features above 30, or use --features landmarks"));
  EXPECT_TRUE(featured({{"features", "random-features"}, {"n-features", 3000}}).good());
  EXPECT_TRUE(featured({{"features", "landmarks"}, {"n-landmarks", 80}}).good());
}

TEST(GossipRun, TooFewLandmarksAreEnoughForAWiderKernel) {
  const Samples samples = toy();
  const auto wide = [&](double gamma) {
    return result_of(samples,
                     {{"kernel", "rbf"}, {"gamma", gamma}, {"n-components", 2}, {"n-landmarks", 12}});
  };
  const Result weak = wide(0.02);
  ASSERT_FALSE(weak.assessment->good());
  EXPECT_THAT(weak.assessment->weaknesses[0], HasSubstr("or lower --gamma"));
  EXPECT_TRUE(wide(0.0001).good());
}

TEST(GossipRun, AnIndefiniteKernelThatIsWeakSaysThatAnotherOneHelps) {
  const Samples samples = toy();
  const auto with = [&](const char* kernel) {
    return result_of(
        samples,
        {{"kernel", kernel}, {"gamma", 0.02}, {"coef0", -1}, {"n-components", 5}, {"n-landmarks", 16}});
  };
  const Result weak = with("sigmoid");
  ASSERT_FALSE(weak.assessment->good());
  EXPECT_THAT(weak.assessment->weaknesses[0], HasSubstr("use another kernel"));
  EXPECT_TRUE(with("linear").good());
}

// The share that the positive part of a kernel matrix has of nothing.
TEST(GossipRun, RefusesAShareOfVarianceOfAKernelThatIsNoInnerProduct) {
  EXPECT_THAT(refusal({{"kernel", "sigmoid"}, {"gamma", 0.02}, {"coef0", -1}, {"n-components", 0.9}}),
              AllOf(HasSubstr("the sigmoid kernel does not have"), HasSubstr("as a number")));
}

// A run of fixed length is not refined: nothing is claimed, but features that are bad are told.
TEST(GossipRun, BadFeaturesAreWeakInARunOfFixedLengthToo) {
  const Samples samples = toy();
  const auto fixed = [&](Index features) {
    return result_of(samples, {{"kernel", "rbf"},
                               {"gamma", 0.05},
                               {"features", "random-features"},
                               {"n-features", features},
                               {"tol", 0},
                               {"messages-per-node", 30}});
  };
  const Result weak = fixed(4);
  EXPECT_EQ(weak.converged, std::nullopt);
  EXPECT_FALSE(weak.good());
  ASSERT_TRUE(weak.assessment);
  EXPECT_THAT(weak.assessment->weaknesses.at(0), HasSubstr("raise --n-features above 4"));
  EXPECT_TRUE(fixed(4000).good());
}

TEST(GossipRun, AKernelThatIsTooNarrowForItsLandmarksIsRefusedAndALowerGammaHelps) {
  const Samples samples = toy();
  const auto narrow = [&](double gamma) {
    return gossip_job(samples,
                      {{"kernel", "laplacian"}, {"gamma", gamma}, {"n-landmarks", 20}, {"n-components", 1}});
  };
  EXPECT_THAT(testing::failure_of(narrow(1e9)), HasSubstr("lower --gamma"));
  EXPECT_TRUE(choir::Run(narrow(0.001)).execute().good());
}

TEST(GossipRun, ALimitOfComponentsThatIsTooLowSaysWhatHelpsAndThatHelps) {
  const Samples samples = toy();
  const auto most = [&](Index limit, double share) {
    return gossip_job(samples, {{"n-components", share}, {"max-components", limit}});
  };
  EXPECT_THAT(testing::failure_of(most(1, 0.9)), HasSubstr("raise max_components, ask for less"));
  EXPECT_TRUE(choir::Run(most(6, 0.9)).execute().good());
  EXPECT_TRUE(choir::Run(most(1, 0.2)).execute().good());
}

TEST(GossipRun, RefusesWhatCannotBe) {
  EXPECT_THAT(refusal({{"by", "features"}}), HasSubstr("use --partition coordinates"));
  EXPECT_THAT(refusal({{"partition", "coordinates"}, {"stream", "5@1s"}}), HasSubstr("whole samples"));
  EXPECT_THAT(refusal({{"normalized", true}, {"features", "none"}}), HasSubstr("--features landmarks"));
  EXPECT_THAT(refusal({{"schedule", "tree"}, {"stream", "5@1s"}}), HasSubstr("--schedule tree merges once"));
  EXPECT_THAT(refusal({{"half-life", "1s"}, {"yardsticks", true}}), HasSubstr("--half-life"));
  EXPECT_THAT(refusal({{"stream", "20"}}), AllOf(HasSubstr("--stream"), HasSubstr("50@100ms")));
  EXPECT_THAT(refusal({{"carry", "some"}}), AllOf(HasSubstr("--carry"), HasSubstr("auto")));
  EXPECT_THAT(refusal({{"max-iter", 5}}), HasSubstr("'max-iter' is not an option here"));
  EXPECT_THAT(refusal({{"precision", "float32"}}), HasSubstr("'precision' is not an option here"));
}

}  // namespace
}  // namespace choir
