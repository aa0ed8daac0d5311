// The tables of all methods: what help, TOML, JSON and parties read is one thing.
#include "choir/run/method.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/run/config.h"

namespace choir {
namespace {

TEST(Methods, AreAllThereAndNamedOnce) {
  std::set<std::string> names;
  for (const MethodInfo* info : all_methods()) names.insert(info->name);
  EXPECT_THAT(names, ::testing::ElementsAre("central-kpca", "consensus-kpca", "federated-kmeans",
                                            "gossip-pca", "local-kpca", "oneshot-kpca", "online-kernel"));
}

TEST(Methods, ANameThatIsNearlyRightIsAskedBack) {
  try {
    find_method("consensus_kpca");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("did you mean 'consensus-kpca'?"));
  }
}

class EveryMethod : public ::testing::TestWithParam<const MethodInfo*> {};

TEST_P(EveryMethod, OptionNameTomlKeyAndJsonKeyAreOneWord) {
  const std::unique_ptr<Method> method = GetParam()->start();
  std::set<std::string> keys;
  for (const auto& [key, value] : used_options(GetParam()->options, method->settings())) keys.insert(key);
  for (const OptionRow& row : GetParam()->options.rows()) {
    std::string key = row.name;
    std::replace(key.begin(), key.end(), '-', '_');
    EXPECT_EQ(row.key(), key);
    EXPECT_EQ(GetParam()->options.find(key), GetParam()->options.find(row.name));
    const bool has_value = !row.values(method->settings()).empty();
    EXPECT_EQ(keys.contains(key), has_value && !row.of_the_call) << row.name;
  }
}

TEST_P(EveryMethod, DefaultsAreValuesThatCouldBeTyped) {
  const std::unique_ptr<Method> method = GetParam()->start();
  for (const OptionRow& row : GetParam()->options.rows()) {
    const std::vector<std::string> values = row.values(method->settings());
    if (values.empty()) continue;
    const std::unique_ptr<Method> other = GetParam()->start();
    apply_options(GetParam()->options, {{row.name, values}}, other->settings());
    EXPECT_EQ(row.values(other->settings()), values) << row.name;
    if (!row.choices.empty()) {
      EXPECT_THAT(row.choices, ::testing::Contains(values.front())) << row.name;
    }
  }
}

TEST_P(EveryMethod, HelpIsOneSentenceWithoutTheDefault) {
  for (const OptionRow& row : GetParam()->options.rows()) {
    EXPECT_FALSE(row.help.empty()) << row.name;
    EXPECT_NE(row.help.back(), '.') << row.name;
    EXPECT_FALSE(row.group.empty()) << row.name;
    EXPECT_TRUE(row.flag || !row.unit.empty()) << row.name;
  }
}

TEST_P(EveryMethod, TheCommonDozenIsADozen) {
  const auto& rows = GetParam()->options.rows();
  const auto common =
      std::count_if(rows.begin(), rows.end(), [](const OptionRow& row) { return row.common; });
  EXPECT_GE(common, 8);
  EXPECT_LE(common, 18);
}

TEST_P(EveryMethod, OwnAffairsStayOwn) {
  for (const char* name : {"data", "labels", "out", "threads", "report"}) {
    const OptionRow* row = GetParam()->options.find(name);
    ASSERT_NE(row, nullptr) << name;
    EXPECT_FALSE(row->shared) << name;
  }
  for (const char* name : {"gamma", "kernel", "random-state", "nodes"}) {
    const OptionRow* row = GetParam()->options.find(name);
    ASSERT_NE(row, nullptr) << name;
    EXPECT_TRUE(row->shared) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, ::testing::ValuesIn(all_methods()), [](const auto& tested) {
  std::string name = tested.param->name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace choir
