// What cannot be had together with differential privacy is refused, with a sentence that says what to do.
#include "choir/learn/online_kernel/private_options.h"

#include <functional>

#include "graph/expect_error.h"
#include <gtest/gtest.h>

#include "choir/learn/online_kernel/class_moments.h"
#include "choir/learn/privacy/gaussian_privacy.h"

namespace choir::online_kernel {
namespace {

using choir::testing::expect_error;

Options private_options() {
  Options options;
  options.gamma = {.rule = GammaRule::number, .value = 0.5};
  options.classes = {0, 1};
  options.privacy.epsilon = 1;
  return options;
}

void expect_refusal(const std::function<void(Options&)>& change, const char* words) {
  Options options = private_options();
  change(options);
  expect_error(ErrorCategory::InvalidArgument, {words}, [&] { validate(options); });
}

TEST(PrivateOptions, MeansRandomFeaturesUnlessSomethingElseIsAskedFor) {
  validate(private_options());
  EXPECT_EQ(representation_of(private_options()), Representation::random_features);
}

TEST(PrivateOptions, WhatDependsOnSamplesIsRefused) {
  expect_refusal([](Options& o) { o.privacy.epsilon = 0; }, "privacy is 0");
  expect_refusal([](Options& o) { o.privacy.delta = 1; }, "delta is 1");
  expect_refusal([](Options& o) { o.representation = Representation::dictionary; },
                 "dictionaries are samples");
  expect_refusal([](Options& o) { o.representation = Representation::landmarks; }, "must be random-features");
  expect_refusal([](Options& o) { o.gamma.rule = GammaRule::scale; }, "gamma must be a number");
  expect_refusal([](Options& o) { o.gamma.rule = GammaRule::median; }, "gamma must be a number");
  expect_refusal([](Options& o) { o.preprocessing.standardize = Standardize::zscore; }, "zscore is refused");
  expect_refusal([](Options& o) { o.privacy.clip = 1; }, "clip has no use here");
  expect_refusal(
      [](Options& o) {
        o.loss = Loss::squared;
        o.classes = {};
      },
      "only classes can be learned");
  expect_refusal([](Options& o) { o.kernel.kind = KernelKind::poly; }, "has no random features");
  expect_refusal([](Options& o) { o.consensus = Consensus::none; }, "add up moments");
}

TEST(PrivateOptions, WhatDoesNotIsAllowed) {
  Options options = private_options();
  options.kernel.kind = KernelKind::laplacian;
  options.preprocessing.divide = 255;
  options.preprocessing.standardize = Standardize::unit;
  options.half_life = 1000;
  options.class_weights = ClassWeights::none;
  validate(options);
}

TEST(PrivateOptions, RunsThatWouldSaySomethingElseAreRefused) {
  require_private(RunOptions{}, Hooks{});
  expect_error(ErrorCategory::InvalidArgument, {"their noise would be missing"},
               [] { require_private({.lost_peers = LostPeers::proceed}, {}); });
  Hooks resumes;
  resumes.resume = [](NodeId) { return std::optional<State>(); };
  expect_error(ErrorCategory::InvalidArgument, {"cannot be resumed"}, [&] { require_private({}, resumes); });
  Hooks predicts;
  predicts.predicted = [](NodeId, std::uint64_t, const Matrix&, const Vector&) {};
  expect_error(ErrorCategory::InvalidArgument, {"no predictions"}, [&] { require_private({}, predicts); });
}

TEST(PrivateOptions, OneReleaseCostsAllThatWasAllowed) {
  const PrivacyReport report = privacy_report(private_options(), 5);
  ASSERT_EQ(report.releases.size(), 1U);
  EXPECT_EQ(report.releases.front().sensitivity, class_moments_sensitivity);
  EXPECT_EQ(report.rho(), largest_rho(1, 1e-6));
  EXPECT_EQ(report.asked.epsilon, 1);
}

}  // namespace
}  // namespace choir::online_kernel
