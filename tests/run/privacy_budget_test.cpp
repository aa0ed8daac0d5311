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

double rho_of_the_limit() { return largest_rho(limit.epsilon, limit.delta); }

TEST(PrivacyBudget, AddsUpChargesAcrossRuns) {
  const fs::path path = new_file();
  const double each = rho_of_the_limit() / 2.5;
  PrivacyBudget(path, limit).charge(each, "a", "first");
  PrivacyBudget second(path, std::nullopt);
  EXPECT_EQ(second.account().limit, limit);
  EXPECT_DOUBLE_EQ(second.account().rho, each);
  second.charge(each, "b", "second");
  EXPECT_DOUBLE_EQ(second.account().rho, 2 * each);
  EXPECT_DOUBLE_EQ(second.account().epsilon(), zcdp_epsilon(limit.delta, 2 * each));
}

TEST(PrivacyBudget, ChargesARunOnceHoweverManyProcessesChargeIt) {
  const fs::path path = new_file();
  PrivacyBudget(path, limit).charge(0.001, "3f", "process 0");
  PrivacyBudget(path, limit).charge(0.001, "3f", "process 1");
  PrivacyBudget(path, limit).charge(0.001, "3f2", "another run");
  EXPECT_DOUBLE_EQ(PrivacyBudget(path, limit).account().rho, 0.002);
}

TEST(PrivacyBudget, SaysHowMuchMayStillBeAskedFor) {
  const fs::path path = new_file();
  PrivacyBudget budget(path, limit);
  EXPECT_NEAR(budget.account().largest_epsilon_left(limit.delta), 1, 1e-6);
  budget.charge(rho_of_the_limit() / 2, "a", "half");
  const double left = budget.account().largest_epsilon_left(1e-5);
  EXPECT_NO_THROW(budget.require_room(largest_rho(left - 1e-6, 1e-5)));
  expect_error(ErrorCategory::InvalidArgument, {"too little left"},
               [&] { budget.require_room(largest_rho(left + 1e-3, 1e-5)); });
  EXPECT_DOUBLE_EQ(budget.account().rho, rho_of_the_limit() / 2);
}

TEST(PrivacyBudget, RefusesWhatGoesBeyondAndChargesNothingForIt) {
  const fs::path path = new_file();
  PrivacyBudget budget(path, limit);
  const double half = rho_of_the_limit() / 2;
  budget.charge(half, "a", "one");
  const std::string before = text_of(path);
  expect_error(ErrorCategory::InvalidArgument,
               {"too little left", "the limit is 1", "ask for --privacy 0.6", "or less"},
               [&] { budget.charge(1.1 * half, "b", "two"); });
  EXPECT_EQ(text_of(path), before);
  budget.charge(0.9 * half, "c", "less");
  budget.charge(0.1 * half * (1 - 1e-9), "d", "the rest");
  EXPECT_LE(budget.account().epsilon(), limit.epsilon);
  expect_error(ErrorCategory::InvalidArgument, {"nothing is left"},
               [&] { budget.charge(0.001, "e", "more"); });
}

TEST(PrivacyBudget, MakesNoFileForARunThatIsRefused) {
  const fs::path path = new_file();
  PrivacyBudget budget(path, limit);
  EXPECT_EQ(budget.account().rho, 0);
  expect_error(ErrorCategory::InvalidArgument, {"too little left"}, [&] { budget.require_room(10); });
  EXPECT_FALSE(fs::exists(path));
}

TEST(PrivacyBudget, IsReadableByItsOwnerAlone) {
  const fs::path path = new_file();
  PrivacyBudget budget(path, limit);
  budget.charge(0.001, "a", "x");
  struct stat found = {};
  ASSERT_EQ(stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
  fs::permissions(path, fs::perms::others_write, fs::perm_options::add);
  expect_error(ErrorCategory::BadData, {"its owner alone"}, [&] { budget.charge(0.001, "b", "x"); });
}

// Sixteen runs at the same time, of which ten fit.
TEST(PrivacyBudget, IsNeverExceededByRunsAtTheSameTime) {
  const fs::path path = new_file();
  const double each = rho_of_the_limit() / 10.5;
  std::atomic<int> went = 0;
  std::vector<std::thread> runs;
  for (int run = 0; run < 16; ++run) {
    runs.emplace_back([&, run] {
      try {
        PrivacyBudget(path, limit).charge(each, std::to_string(run), "at once");
        ++went;
      } catch (const Error& error) {
        EXPECT_EQ(error.category(), ErrorCategory::InvalidArgument);
      }
    });
  }
  for (std::thread& run : runs) run.join();
  EXPECT_EQ(went, 10);
  EXPECT_NEAR(PrivacyBudget(path, limit).account().rho, 10 * each, 1e-12);
}

TEST(PrivacyBudget, ForgetsALineThatWasNeverFinished) {
  const fs::path path = new_file();
  PrivacyBudget budget(path, limit);
  budget.charge(0.001, "a", "whole");
  append(path, "0.00");
  EXPECT_DOUBLE_EQ(budget.account().rho, 0.001);
  budget.charge(0.002, "b", "next");
  EXPECT_DOUBLE_EQ(budget.account().rho, 0.003);
  const fs::path unborn = new_file();
  append(unborn, "choir priv");
  fs::permissions(unborn, fs::perms::owner_read | fs::perms::owner_write);
  PrivacyBudget born(unborn, limit);
  EXPECT_EQ(born.account().rho, 0);
  born.charge(0.001, "a", "first");
  EXPECT_EQ(PrivacyBudget(unborn, std::nullopt).account().rho, 0.001);
}

TEST(PrivacyBudget, NeedsTheLimitOfANewFileAndNoOther) {
  const fs::path path = new_file();
  expect_error(ErrorCategory::InvalidArgument, {path.filename().c_str(), "--privacy-limit"},
               [&] { PrivacyBudget(path, std::nullopt); });
  PrivacyBudget(path, limit).charge(0.001, "a", "x");
  expect_error(ErrorCategory::BadData, {"of epsilon 1 with delta 1e-06, not of epsilon 2"},
               [&] { PrivacyBudget(path, PrivacyLimit{.epsilon = 2, .delta = 1e-6}); });
  expect_error(ErrorCategory::InvalidArgument, {"delta"},
               [] { PrivacyBudget("x.budget", PrivacyLimit{.epsilon = 1, .delta = 0}); });
}

TEST(PrivacyBudget, RefusesFilesThatAreSomethingElse) {
  const fs::path path = new_file();
  PrivacyBudget budget(path, limit);
  budget.charge(0.001, "a", "x");
  append(path, "-1 b refund\n");
  expect_error(ErrorCategory::BadData, {"no charge: '-1 b refund'"}, [&] { budget.charge(0.001, "c", "x"); });
  const fs::path link = new_file();
  fs::create_symlink(path, link);
  expect_error(ErrorCategory::Io, {"cannot be opened"}, [&] { PrivacyBudget(link, limit); });
  expect_error(ErrorCategory::Io, {"there is no folder no/such/folder"},
               [&] { PrivacyBudget("no/such/folder/x.budget", limit); });
  const fs::path other = new_file();
  append(other, "patient,age\n1,50\n");
  fs::permissions(other, fs::perms::owner_read | fs::perms::owner_write);
  expect_error(ErrorCategory::BadData, {"not a privacy budget"}, [&] { PrivacyBudget(other, limit); });
  EXPECT_EQ(text_of(other), "patient,age\n1,50\n");
}

TEST(PrivacyBudget, RefusesChargesThatAreNone) {
  PrivacyBudget budget(new_file(), limit);
  budget.charge(0.01, "a", "x");
  expect_error(ErrorCategory::InvalidArgument, {"rho"}, [&] { budget.charge(-0.001, "b", "refund"); });
  expect_error(ErrorCategory::InvalidArgument, {"rho"}, [&] { budget.charge(std::nan(""), "b", "x"); });
  expect_error(ErrorCategory::InvalidArgument, {"one line"}, [&] { budget.charge(0.001, "b", "x\n-5 c y"); });
  expect_error(ErrorCategory::InvalidArgument, {"one word"}, [&] { budget.charge(0.001, "b c", "x"); });
  EXPECT_DOUBLE_EQ(budget.account().rho, 0.01);
}

}  // namespace
}  // namespace choir
