#include "choir/learn/consensus_kpca/private_options.h"

#include "graph/expect_error.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir::consensus_kpca {
namespace {

using testing::expect_error;
using ::testing::HasSubstr;
using ::testing::SizeIs;

Options private_landmarks() {
  Options options;
  options.gamma = parse_gamma("0.1");
  options.privacy = {.epsilon = 1.0, .clip = 3.0};
  return options;
}

Options private_random_features() {
  Options options = private_landmarks();
  options.share = Share::random_features;
  options.privacy.clip = {};
  return options;
}

template <class Change>
void expect_refused(std::initializer_list<const char*> words, const Change& change) {
  Options options = private_landmarks();
  change(options);
  expect_error(ErrorCategory::InvalidArgument, words, [&] { validate(options); });
}

TEST(PrivateConsensusOptions, LandmarksAndRandomFeaturesAreAllowed) {
  EXPECT_NO_THROW(validate(private_landmarks()));
  EXPECT_NO_THROW(validate(private_random_features()));
  Options laplacian = private_landmarks();
  laplacian.kernel.kind = KernelKind::laplacian;
  laplacian.use = Answer::shared;
  laplacian.preprocessing.standardize = Standardize::unit;
  EXPECT_NO_THROW(validate(laplacian));
}

TEST(PrivateConsensusOptions, WhatShowsSamplesIsRefused) {
  expect_refused({"samples", "share landmarks or random-features"},
                 [](Options& options) { options.share = Share::samples; });
  expect_refused({"share sends none"}, [](Options& options) { options.exchange_noise = 1; });
  expect_refused({"own sums", "agree by tree"}, [](Options& options) { options.agree = Agree::consensus; });
  expect_refused({"own sums", "agree by tree"}, [](Options& options) { options.agree = Agree::gossip; });
  expect_refused({"use shared"}, [](Options& options) { options.use = Answer::own; });
}

TEST(PrivateConsensusOptions, WhatIsFoundFromSamplesIsRefused) {
  expect_refused({"gamma must be a number"}, [](Options& options) { options.gamma = parse_gamma("scale"); });
  expect_refused({"gamma must be a number"}, [](Options& options) { options.gamma = parse_gamma("median"); });
  expect_refused({"zscore", "--divide"},
                 [](Options& options) { options.preprocessing.standardize = Standardize::zscore; });
  expect_refused({"--n-components with a number"},
                 [](Options& options) { options.n_components.fraction = 0.9; });
}

TEST(PrivateConsensusOptions, FeaturesWithoutABoundAreRefused) {
  for (const KernelKind kind :
       {KernelKind::linear, KernelKind::poly, KernelKind::sigmoid, KernelKind::cosine})
    expect_refused({"rbf or laplacian"}, [kind](Options& options) { options.kernel.kind = kind; });
}

TEST(PrivateConsensusOptions, SamplesAreClippedWhereTheyAreSummedAndNotElsewhere) {
  expect_refused({"use --clip"}, [](Options& options) { options.privacy.clip = {}; });
  expect_refused({"omit --clip"}, [](Options& options) { options.share = Share::random_features; });
  const Array points(Samples(Samples::Identity(4, 3)));
  expect_refused({"omit --clip"}, [&](Options& options) { options.public_points = points; });
  Options options = private_landmarks();
  options.public_points = points;
  options.privacy.clip = {};
  EXPECT_NO_THROW(validate(options));
}

TEST(PrivateConsensusOptions, ImpossiblePromisesAreRefused) {
  expect_refused({"privacy"}, [](Options& options) { options.privacy.epsilon = 0; });
  expect_refused({"delta"}, [](Options& options) { options.privacy.delta = 1; });
  expect_refused({"clip"}, [](Options& options) { options.privacy.clip = -1; });
}

TEST(PrivateConsensusOptions, TheReportNamesWhatIsReleased) {
  const PrivacyReport landmarks = privacy_report(private_landmarks(), 5);
  ASSERT_THAT(landmarks.releases, SizeIs(2));
  EXPECT_THAT(landmarks.releases[0].what, HasSubstr("spread"));
  EXPECT_THAT(landmarks.releases[1].what, HasSubstr("features"));
  const PrivacyReport random = privacy_report(private_random_features(), 5);
  ASSERT_THAT(random.releases, SizeIs(1));
  EXPECT_NEAR(landmarks.rho(), random.rho(), 1e-12);
  EXPECT_EQ(random.asked.epsilon, 1.0);
  EXPECT_FALSE(random.left_out.empty());
}

}  // namespace
}  // namespace choir::consensus_kpca
