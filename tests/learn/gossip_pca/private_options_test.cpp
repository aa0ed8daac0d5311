#include "choir/learn/gossip_pca/private_options.h"

#include "learn/gossip_pca/toy.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir::gossip_pca {
namespace {

using ::testing::SizeIs;

Options private_pca_options() {
  Options options;
  options.privacy = {.epsilon = 1.0, .clip = 3.0};
  return options;
}

Options private_kernel_options(FeatureKind features) {
  Options options = private_pca_options();
  options.features = features;
  options.kernel = {.kind = KernelKind::rbf};
  options.gamma = parse_gamma("0.1");
  if (features == FeatureKind::random_features) options.privacy.clip = {};
  return options;
}

void expect_refusal(const Options& options, std::initializer_list<const char*> words) {
  expect_error(ErrorCategory::InvalidArgument, words, [&] { validate(options); });
}

template <class Change>
void expect_refused(std::initializer_list<const char*> words, const Change& change) {
  Options options = private_pca_options();
  change(options);
  expect_refusal(options, words);
}

TEST(PrivateGossipOptions, PcaAndFeaturesOfAKernelAreAllowed) {
  EXPECT_NO_THROW(validate(private_pca_options()));
  EXPECT_NO_THROW(validate(private_kernel_options(FeatureKind::landmarks)));
  EXPECT_NO_THROW(validate(private_kernel_options(FeatureKind::random_features)));
}

TEST(PrivateGossipOptions, WhatNeedsMoreThanOneTotalOfWholeSamplesIsRefused) {
  expect_refused({"whole samples"}, [](Options& options) { options.partition = Division::coordinates; });
  expect_refused({"half_life"}, [](Options& options) { options.half_life = std::chrono::seconds(2); });
  expect_error(ErrorCategory::InvalidArgument, {"omit --stream"},
               [] { require_streams(private_pca_options()); });
}

TEST(PrivateGossipOptions, WhatIsFoundFromSamplesIsRefused) {
  expect_refused({"zscore"},
                 [](Options& options) { options.preprocessing.standardize = Standardize::zscore; });
  expect_refused({"--n-components with a number"},
                 [](Options& options) { options.n_components.fraction = 0.9; });
  Options options = private_kernel_options(FeatureKind::landmarks);
  options.gamma = parse_gamma("scale");
  expect_refusal(options, {"gamma must be a number"});
}

TEST(PrivateGossipOptions, FeaturesWithoutABoundAreRefused) {
  Options options = private_kernel_options(FeatureKind::landmarks);
  options.kernel.kind = KernelKind::poly;
  expect_refusal(options, {"rbf or laplacian"});
}

TEST(PrivateGossipOptions, SamplesAreClippedWhereTheyAreSummedAndNotElsewhere) {
  expect_refused({"use --clip"}, [](Options& options) { options.privacy.clip = {}; });
  Options landmarks = private_kernel_options(FeatureKind::landmarks);
  landmarks.privacy.clip = {};
  expect_refusal(landmarks, {"use --clip"});
  Options random = private_kernel_options(FeatureKind::random_features);
  random.privacy.clip = 1;
  expect_refusal(random, {"omit --clip"});
}

TEST(PrivateGossipOptions, TheReportNamesWhatIsReleased) {
  EXPECT_THAT(privacy_report(private_pca_options(), 5).releases, SizeIs(1));
  EXPECT_THAT(privacy_report(private_kernel_options(FeatureKind::landmarks), 5).releases, SizeIs(2));
  EXPECT_THAT(privacy_report(private_kernel_options(FeatureKind::random_features), 5).releases, SizeIs(1));
}

}  // namespace
}  // namespace choir::gossip_pca
