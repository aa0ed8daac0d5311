// Options of a run that would show samples beside the noisy total are refused.
#include "choir/run/online/private_settings.h"

#include "graph/expect_error.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using choir::testing::expect_error;

// The first of two values of an option counts.
OnlineSettings settings_with(std::vector<GivenOption> given = {}) {
  given.push_back({.name = "privacy", .values = {"1"}});
  given.push_back({.name = "gamma", .values = {"0.5"}});
  given.push_back({.name = "classes", .values = {"0,1,2"}});
  OnlineSettings settings;
  apply_options(online_option_table(), given, settings);
  return settings;
}

void expect_refusal(const char* option, const char* value, const char* words) {
  OnlineSettings settings = settings_with({{.name = option, .values = {value}}});
  expect_error(ErrorCategory::InvalidArgument, {words}, [&] { complete_online_settings(settings); });
}

TEST(PrivateSettings, ReachTheMethod) {
  OnlineSettings settings =
      settings_with({{.name = "delta", .values = {"1e-8"}}, {.name = "half-life", .values = {"5000"}}});
  complete_online_settings(settings);
  EXPECT_EQ(settings.method.privacy.epsilon, 1);
  EXPECT_EQ(settings.method.privacy.delta, 1e-8);
  EXPECT_EQ(representation_of(settings.method), online_kernel::Representation::random_features);
}

TEST(PrivateSettings, WhatShowsSamplesIsRefused) {
  expect_refusal("passes", "2", "learned from once");
  expect_refusal("on-bad-record", "skip", "bad records cannot be skipped");
  expect_refusal("test", "test.npy", "--test would show");
  expect_refusal("predictions", "p.csv", "no predictions before the end");
  expect_refusal("checkpoint", "states", "no checkpoints");
  expect_refusal("lost-peers", "continue", "their noise would be missing");
  expect_refusal("by", "label:2", "labels must not decide");
  expect_refusal("select-labels", "0,1", "labels must not decide");
  expect_refusal("gamma", "scale", "gamma must be a number");
  expect_refusal("standardize", "zscore", "zscore is refused");
  expect_refusal("eta", "1", "dictionaries are samples");
  expect_refusal("representation", "landmarks", "must be random-features");
  expect_refusal("clip", "3", "clip has no use here");
}

TEST(PrivateSettings, ClassesMustBeNamed) {
  OnlineSettings settings = settings_with();
  settings.classes.clear();
  expect_error(ErrorCategory::InvalidArgument, {"the classes must be named"},
               [&] { complete_online_settings(settings); });
}

TEST(PrivateSettings, WithoutPrivacyNothingIsRefused) {
  OnlineSettings settings;
  settings.passes = 2;
  settings.test = "test.npy";
  complete_online_settings(settings);
}

}  // namespace
}  // namespace choir
