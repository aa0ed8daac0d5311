#include "choir/run/privacy_budget.h"

#include <atomic>
#include <cmath>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "graph/expect_error.h"
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "choir/learn/privacy/gaussian_privacy.h"

namespace choir {
namespace {

namespace fs = std::filesystem;
using testing::expect_error;

constexpr PrivacyLimit limit{.epsilon = 1, .delta = 1e-6};

fs::path new_file() {
  static int count = 0;
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const fs::path path =
      fs::path(::testing::TempDir()) / fmt::format("{}-{}-{}.budget", test->name(), getpid(), ++count);
  fs::remove(path);
  return path;
}

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void append(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::app) << text; }

// Close below what the limit allows.
double rho_of_the_limit() {
  double rho = 1;
  while (zcdp_epsilon(limit.delta, rho) > limit.epsilon) rho *= 0.99;
  return rho;
}

TEST(PrivacyBudget, AddsUpChargesAcrossRuns) {
  const fs::path path = new_file();
  const double each = rho_of_the_limit() / 3;
  PrivacyBudget(path, limit).charge(each, "first");
  PrivacyBudget second(path, limit);
  EXPECT_DOUBLE_EQ(second.spent_rho(), each);
  second.charge(each, "second");
  EXPECT_DOUBLE_EQ(second.spent_rho(), 2 * each);
  EXPECT_DOUBLE_EQ(second.spent_epsilon(), zcdp_epsilon(limit.delta, 2 * each));
}

TEST(PrivacyBudget, RefusesWhatGoesBeyondAndChargesNothingForIt) {
  const fs::path path = new_file();
  PrivacyBudget budget(path, limit);
  const double half = rho_of_the_limit() / 2;
  budget.charge(half, "one");
  const std::string before = text_of(path);
  expect_error(ErrorCategory::InvalidArgument, {"is used up", "the limit is 1"},
               [&] { budget.charge(1.1 * half, "two"); });
  EXPECT_EQ(text_of(path), before);
  budget.charge(0.9 * half, "less");
  EXPECT_LE(budget.spent_epsilon(), limit.epsilon);
}

TEST(PrivacyBudget, IsReadableByItsOwnerAlone) {
  const fs::path path = new_file();
  PrivacyBudget budget(path, limit);
  struct stat found = {};
  ASSERT_EQ(stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
  fs::permissions(path, fs::perms::others_write, fs::perm_options::add);
  expect_error(ErrorCategory::BadData, {"its owner alone"}, [&] { budget.charge(0.001, "x"); });
}

// Sixteen runs at the same time, of which ten fit.
TEST(PrivacyBudget, IsNeverExceededByRunsAtTheSameTime) {
  const fs::path path = new_file();
  PrivacyBudget(path, limit).spent_rho();
  const double each = rho_of_the_limit() / 10.5;
  std::atomic<int> went = 0;
  std::vector<std::thread> runs;
  for (int run = 0; run < 16; ++run) {
    runs.emplace_back([&] {
      try {
        PrivacyBudget(path, limit).charge(each, "at once");
        ++went;
      } catch (const Error& error) {
        EXPECT_EQ(error.category(), ErrorCategory::InvalidArgument);
      }
    });
  }
  for (std::thread& run : runs) run.join();
  EXPECT_EQ(went, 10);
  EXPECT_NEAR(PrivacyBudget(path, limit).spent_rho(), 10 * each, 1e-12);
}

TEST(PrivacyBudget, ForgetsALineThatWasNeverFinished) {
  const fs::path path = new_file();
  PrivacyBudget budget(path, limit);
  budget.charge(0.001, "whole");
  append(path, "0.00");
  EXPECT_DOUBLE_EQ(budget.spent_rho(), 0.001);
  budget.charge(0.002, "next");
  EXPECT_DOUBLE_EQ(budget.spent_rho(), 0.003);
  const fs::path unborn = new_file();
  append(unborn, "choir priv");
  fs::permissions(unborn, fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(PrivacyBudget(unborn, limit).spent_rho(), 0);
}

TEST(PrivacyBudget, RefusesFilesThatAreSomethingElse) {
  const fs::path path = new_file();
  PrivacyBudget budget(path, limit);
  expect_error(ErrorCategory::BadData, {"not a privacy budget of epsilon 2"},
               [&] { PrivacyBudget(path, {.epsilon = 2, .delta = 1e-6}); });
  append(path, "-1 refund\n");
  expect_error(ErrorCategory::BadData, {"no charge: '-1 refund'"}, [&] { budget.charge(0.001, "x"); });
  const fs::path link = new_file();
  fs::create_symlink(path, link);
  expect_error(ErrorCategory::Io, {"cannot be opened"}, [&] { PrivacyBudget(link, limit); });
  expect_error(ErrorCategory::Io, {"cannot be opened"},
               [&] { PrivacyBudget("no/such/folder/x.budget", limit); });
  expect_error(ErrorCategory::InvalidArgument, {"delta"},
               [] { PrivacyBudget("x.budget", {.epsilon = 1, .delta = 0}); });
}

TEST(PrivacyBudget, RefusesChargesThatAreNone) {
  PrivacyBudget budget(new_file(), limit);
  expect_error(ErrorCategory::InvalidArgument, {"rho"}, [&] { budget.charge(-0.1, "refund"); });
  expect_error(ErrorCategory::InvalidArgument, {"rho"}, [&] { budget.charge(std::nan(""), "x"); });
  expect_error(ErrorCategory::InvalidArgument, {"one line"}, [&] { budget.charge(0.001, "x\n-5 y"); });
  EXPECT_EQ(budget.spent_rho(), 0);
}

}  // namespace
}  // namespace choir
