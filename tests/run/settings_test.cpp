#include "choir/run/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

// "--sim-loss 0.1 --sim-reorder", as a user types it.
Settings typed(const std::string& line) {
  OptionTable table;
  add_sim_rows(table);
  std::vector<GivenOption> given;
  for (const std::string_view word : split(line, ' ')) {
    if (word.starts_with("--")) {
      given.push_back({.name = std::string(word.substr(2)), .values = {}});
    } else if (!word.empty()) {
      given.back().values.emplace_back(word);
    }
  }
  // A repeated option is one option with several values.
  std::vector<GivenOption> all;
  for (GivenOption& option : given) {
    if (option.values.empty()) option.values = {"true"};
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const auto& other) { return other.name == option.name; });
    if (same == all.end()) {
      all.push_back(option);
    } else {
      same->values.insert(same->values.end(), option.values.begin(), option.values.end());
    }
  }
  Settings settings;
  apply_options(table, all, settings);
  return settings;
}

std::string refusal_of(const std::string& line) {
  try {
    typed(line).sim.options();
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::InvalidArgument);
    return error.what();
  }
  return "nothing was refused";
}

// describe() is what a failing run prints: typing it must give the same network.
TEST(SimSettings, WhatAFailingRunPrintsIsUnderstood) {
  SimOptions network;
  network.latency = {.low = std::chrono::milliseconds(1),
                     .high = std::chrono::milliseconds(4),
                     .shape = Latency::Shape::exponential};
  network.loss = 0.125;
  network.duplicate = 0.01;
  network.reorder = true;
  network.crashes = {{3, std::chrono::seconds(10)}, {4, std::chrono::milliseconds(5)}};
  network.joins = {{7, std::chrono::seconds(5)}};
  network.partitions = {{2, 5, std::chrono::seconds(10), std::chrono::seconds(20)}};
  network.slow = {{4, 10}, {0, 2.5}};
  const std::string line = describe(network);
  EXPECT_EQ(describe(typed(line).sim.options()), line);
}

TEST(SimSettings, NothingSaidIsTheCalmNetwork) {
  EXPECT_EQ(describe(typed("").sim.options()), describe(SimOptions{}));
}

TEST(Settings, GiveAndTakeTheMethodsOptions) {
  struct Options {
    Kernel kernel;
    GammaSpec gamma;
    Preprocessing preprocessing;
    ComponentChoice n_components;
    double tol = 0;
    Index max_iter = 0;
  };
  Settings settings;
  settings.kernel.kernel = KernelKind::poly;
  settings.kernel.degree = 2;
  settings.kernel.gamma = parse_gamma("0.5");
  settings.data.divide = 255;
  settings.components.n_components = {.count = 7, .fraction = 0};
  settings.components.tol = 1e-3;
  Options options;
  take_shared_settings(settings, options);
  EXPECT_EQ(options.kernel.kind, KernelKind::poly);
  EXPECT_EQ(options.n_components.count, 7);
  EXPECT_EQ(options.preprocessing.divide, 255);
  Settings back;
  give_shared_settings(options, back);
  EXPECT_EQ(back.kernel.degree, 2);
  EXPECT_DOUBLE_EQ(back.kernel.gamma.value, 0.5);
  EXPECT_DOUBLE_EQ(back.components.tol, 1e-3);
  EXPECT_EQ(back.components.n_components.count, 7);
}

TEST(Settings, ComponentsAreACountOrAShare) {
  using Type = OptionType<ComponentCount>;
  EXPECT_EQ(Type::parse("--n-components", "10").count, 10);
  EXPECT_DOUBLE_EQ(Type::parse("--n-components", "0.9").fraction, 0.9);
  EXPECT_EQ(Type::print(Type::parse("--n-components", "0.9")), "0.9");
  for (const char* text : {"0", "-3", "ten", "1.5"})
    EXPECT_THROW(Type::parse("--n-components", text), Error) << text;
}

TEST(SimSettings, ARefusalNamesTheOptionAndTheText) {
  using ::testing::AllOf;
  using ::testing::HasSubstr;
  EXPECT_THAT(refusal_of("--sim-loss 1"), AllOf(HasSubstr("--sim-loss"), HasSubstr("'1'")));
  EXPECT_THAT(refusal_of("--sim-duplicate much"), AllOf(HasSubstr("--sim-duplicate"), HasSubstr("much")));
  EXPECT_THAT(refusal_of("--sim-crash 3"), AllOf(HasSubstr("--sim-crash"), HasSubstr("3@10s")));
  EXPECT_THAT(refusal_of("--sim-partition 2@1s"), AllOf(HasSubstr("--sim-partition"), HasSubstr("2@1s")));
  EXPECT_THAT(refusal_of("--sim-latency soon"), HasSubstr("--sim-latency"));
}

}  // namespace
}  // namespace choir
