// consensus-kpca as a run: what it says when it is not good is true, and following it helps.
#include "run/jobs.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/run/run.h"
#include "choir/run/words.h"

namespace choir {
namespace {

using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::Named;

// Two directions matter more than the others.
Samples line_toy(Index features = 5, Index samples = 120) {
  Samples result = testing::normal_samples(features, samples, Purpose("consensus-kpca run test"));
  result.row(0) *= 4;
  result.row(1) *= 2;
  return result;
}

Job consensus_job(const Samples& samples, const Named& options) {
  return testing::make_job("consensus-kpca", {samples}, {{"nodes", 6}, {"engine", "sim"}}, options);
}

Result consensus_result(const Samples& samples, const Named& options) {
  return choir::Run(consensus_job(samples, options)).execute();
}

const Named two = {{"gamma", 0.02}, {"n-components", 2}};
const Named as_in_the_paper = {
    {"gamma", 0.02}, {"n-components", 2}, {"share", "samples"}, {"topology", "ring:2"}};

Named joined(Named options, const Named& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

TEST(ConsensusRun, ARunThatIsTooShortSaysWhatHelpsAndThatHelps) {
  const Samples samples = line_toy();
  const auto iterated = [&](Index most, double tol) {
    return consensus_result(
        samples, joined(as_in_the_paper, {{"use", "neighborhood"}, {"max-iter", most}, {"tol", tol}}));
  };
  const Result brief = iterated(2, 1e-4);
  EXPECT_EQ(brief.converged, false);
  EXPECT_THAT(not_converged_words(brief), EndsWith("raise --max-iter or --tol"));
  EXPECT_EQ(iterated(300, 1e-4).converged, true);
  EXPECT_EQ(iterated(2, 0.9).converged, true);
}

// Samples that were moved far before neighbours see them: more iterations would not come back.
TEST(ConsensusRun, AnIterationThatLeadsAwaySaysWhatHelpsAndThatHelps) {
  const Samples samples = line_toy();
  const auto noisy = [&](double sigma, const char* use) {
    return consensus_result(samples, joined(as_in_the_paper, {{"exchange-noise", sigma}, {"use", use}}));
  };
  const Result away = noisy(3, "neighborhood");
  EXPECT_FALSE(away.good());
  EXPECT_THAT(away.notes, Contains(HasSubstr("led away from the shared answer")));
  EXPECT_THAT(not_converged_words(away), EndsWith("use --use shared, --rho auto, or less --exchange-noise"));
  EXPECT_TRUE(noisy(3, "shared").good());
  EXPECT_EQ(noisy(0, "neighborhood").converged, true);
}

TEST(ConsensusRun, APenaltyThatIsTooSmallIsRefusedAndAutoHelps) {
  const Samples samples = line_toy();
  const auto penalised = [&](const char* rho) {
    return consensus_job(samples, joined(as_in_the_paper, {{"rho", rho}}));
  };
  EXPECT_THAT(testing::failure_of(penalised("1e-3")), HasSubstr("or use auto"));
  EXPECT_EQ(choir::Run(penalised("auto")).execute().converged, true);
}

TEST(ConsensusRun, TooFewLandmarksAreEnoughForAWiderKernel) {
  const Samples samples = line_toy();
  const auto wide = [&](double gamma) {
    return consensus_result(samples, {{"gamma", gamma}, {"n-components", 1}, {"n-landmarks", 10}});
  };
  const Result weak = wide(0.2);
  ASSERT_FALSE(weak.assessment->good());
  EXPECT_THAT(weak.assessment->weaknesses[0], HasSubstr("raise --n-landmarks above 10, or lower --gamma"));
  EXPECT_TRUE(wide(1e-5).good());
}

TEST(ConsensusRun, WhereTheFirstComponentsAreStrongAskingForNoMoreHelps) {
  const Samples samples = line_toy();
  const auto wanted = [&](Index components) {
    return consensus_result(samples, {{"gamma", 0.02}, {"n-components", components}, {"n-landmarks", 30}});
  };
  const Result weak = wanted(8);
  ASSERT_FALSE(weak.assessment->good());
  const Vector& claims = weak.assessment->claimed_similarity;
  Index strong = 0;
  while (claims(strong) >= weak_claim) ++strong;
  ASSERT_GE(strong, 1);
  EXPECT_THAT(weak.assessment->weaknesses[0], HasSubstr(fmt::format(", or ask for {} component", strong)));
  EXPECT_TRUE(wanted(strong).good());
}

TEST(ConsensusRun, TooFewRandomFeaturesAreSaidAndLandmarksHelp) {
  const Samples samples = line_toy();
  const Result weak =
      consensus_result(samples, joined(two, {{"share", "random-features"}, {"n-features", 40}}));
  ASSERT_FALSE(weak.assessment->good());
  EXPECT_THAT(weak.assessment->weaknesses[0], HasSubstr("or use --share landmarks"));
  EXPECT_TRUE(consensus_result(samples, joined(two, {{"share", "landmarks"}})).good());
}

// Four clusters in units of 1, far from the origin: a kernel of inner products has no digits left for them.
TEST(ConsensusRun, SamplesThatLieTooFarOffAreRefusedAndZscoreHelps) {
  const Samples samples = line_toy().array() + 1e9;
  const Named linear = {{"kernel", "linear"}, {"n-components", 1}};
  EXPECT_THAT(testing::failure_of(consensus_job(samples, linear)), HasSubstr("use --standardize zscore"));
  EXPECT_TRUE(consensus_result(samples, joined(linear, {{"standardize", "zscore"}})).good());
}

TEST(ConsensusRun, ALimitOfComponentsThatIsTooLowSaysWhatHelpsAndThatHelps) {
  const Samples samples = line_toy();
  const auto most = [&](Index limit, double share, Index landmarks) {
    return consensus_job(samples, {{"gamma", 0.02},
                                   {"n-components", share},
                                   {"max-components", limit},
                                   {"n-landmarks", landmarks},
                                   {"min-count", 1}});
  };
  EXPECT_THAT(testing::failure_of(most(2, 0.8, 100)), HasSubstr("raise max_components, ask for less"));
  EXPECT_EQ(choir::Run(most(50, 0.8, 100)).execute().converged, true);
  EXPECT_EQ(choir::Run(most(2, 0.3, 100)).execute().converged, true);
  EXPECT_THAT(testing::failure_of(most(50, 0.8, 4)), HasSubstr("there are no others; ask for less"));
  EXPECT_EQ(choir::Run(most(50, 0.8, 100)).execute().converged, true) << "more landmarks help";
}

TEST(ConsensusRun, ANeighborhoodThatSpansTooLittleSaysWhatHelpsAndThatHelps) {
  const Samples samples = line_toy(5, 24);
  const auto wanted = [&](Index components, const char* topology) {
    return consensus_job(samples, {{"gamma", 0.02},
                                   {"share", "samples"},
                                   {"n-components", components},
                                   {"topology", topology},
                                   {"n-landmarks", 20},
                                   {"min-count", 1}});
  };
  EXPECT_THAT(testing::failure_of(wanted(12, "line")),
              HasSubstr("ask for fewer, or give it more samples or neighbours"));
  EXPECT_EQ(choir::Run(wanted(3, "line")).execute().n_components, 3);
  EXPECT_EQ(choir::Run(wanted(12, "complete")).execute().n_components, 12);
}

}  // namespace
}  // namespace choir
