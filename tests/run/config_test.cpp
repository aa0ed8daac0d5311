#include "choir/run/config.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/run/method.h"

namespace choir {
namespace {

std::filesystem::path file_with(const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "choir-config-test.toml";
  std::ofstream(path) << text;
  return path;
}

TEST(Config, ReadsDashesAndUnderscoresWithTheirLines) {
  const auto given = read_config(
      file_with("n-components = 3\nsim_crash = [\"3@10s\", \"4@1s\"]\nnormalized = true\ngamma = 0.5\n"));
  ASSERT_EQ(given.size(), 4u);
  const MethodInfo& info = find_method("consensus-kpca");
  const std::unique_ptr<Method> method = info.start();
  apply_options(info.options, given, method->settings());
  EXPECT_EQ(method->settings().components.n_components.count, 3);
  EXPECT_THAT(method->settings().sim.crash, ::testing::ElementsAre("3@10s", "4@1s"));
  EXPECT_TRUE(method->settings().kernel.normalized);
  EXPECT_DOUBLE_EQ(method->settings().kernel.gamma.value, 0.5);
  EXPECT_THAT(given.front().origin, ::testing::HasSubstr("line "));
}

TEST(Config, WhatIsWrittenIsReadBackTheSameForEveryMethod) {
  for (const MethodInfo* info : all_methods()) {
    const std::unique_ptr<Method> method = info->start();
    apply_options(info->options,
                  {{"data", {"it's here.npz"}}, {"gamma", {"2e-7"}}, {"select-labels", {"1,2"}}},
                  method->settings());
    const std::string text = config_text(info->options, method->settings(), {{"gamma", "0.25"}});
    EXPECT_THAT(text, ::testing::HasSubstr("gamma = 2e-07  # 0.25"));
    const std::unique_ptr<Method> again = info->start();
    apply_options(info->options, read_config(file_with(text)), again->settings());
    EXPECT_EQ(used_options(info->options, again->settings()), used_options(info->options, method->settings()))
        << info->name;
  }
}

TEST(Config, TheCommandCanBeTypedAgain) {
  const MethodInfo& info = find_method("central-kpca");
  const std::unique_ptr<Method> method = info.start();
  apply_options(info.options, {{"data", {"it's here.npz"}}, {"normalized", {"true"}}, {"force", {"true"}}},
                method->settings());
  EXPECT_EQ(given_command("choir fit central-kpca", info.options, method->settings()),
            "choir fit central-kpca --data 'it'\\''s here.npz' --normalized");
}

}  // namespace
}  // namespace choir
