#include "choir/run/privacy_charge.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "graph/expect_error.h"
#include "message_of.h"
#include "runtime/process_threads.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/learn/privacy/gaussian_privacy.h"
#include "choir/run/privacy_budget.h"
#include "choir/runtime/local/local_engine.h"

namespace choir {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using testing::expect_error;
using ::testing::HasSubstr;
using testing::in_a_group_of;

const MethodInfo method{.name = "some-method"};

class PrivacyCharges : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              fmt::format("privacy-charge-{}-{}", getpid(),
                          ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file(const std::string& name) const { return folder_ / name; }
  Settings asking(double epsilon, const std::string& budget = "", double limit = 4) const {
    Settings settings;
    settings.privacy.asked.epsilon = epsilon;
    if (budget.empty()) return settings;
    settings.privacy.budget = file(budget);
    settings.privacy.limit = limit;
    return settings;
  }
  double spent(const std::string& budget) const {
    return PrivacyBudget(file(budget), std::nullopt).account().rho;
  }
  static std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  fs::path folder_;
};

PrivacyCharge charge_alone(const Settings& settings) {
  LocalEngine engine;
  ProcessGroup alone(engine);
  return charge_privacy(method, settings, alone);
}

TEST_F(PrivacyCharges, AreTheWholeRun) {
  const double rho = largest_rho(1, 1e-6);
  const PrivacyCharge charge = charge_alone(asking(1, "a"));
  EXPECT_DOUBLE_EQ(charge.rho, rho);
  EXPECT_EQ(charge.uncounted, "");
  EXPECT_DOUBLE_EQ(spent("a"), rho);
  EXPECT_THAT(text_of(file("a")), HasSubstr("some-method, epsilon 1, delta 1e-06\n"));
}

TEST_F(PrivacyCharges, AddUpOverRunsUntilNothingIsLeft) {
  charge_alone(asking(2, "a"));
  charge_alone(asking(2, "a"));
  const std::string before = text_of(file("a"));
  expect_error(ErrorCategory::InvalidArgument, {"too little left", "the limit is 4", "ask for --privacy"},
               [&] { charge_alone(asking(4, "a")); });
  EXPECT_EQ(text_of(file("a")), before);
}

TEST_F(PrivacyCharges, SayWhereNothingIsCounted) {
  EXPECT_THAT(charge_alone(asking(1)).uncounted, HasSubstr("nothing adds up"));
  in_a_group_of(3, [&](std::size_t process, ProcessGroup& group) {
    const Settings settings = process == 1 ? asking(1, "b") : asking(1);
    EXPECT_THAT(charge_privacy(method, settings, group).uncounted, HasSubstr("at 2 of 3 processes"));
  });
  EXPECT_DOUBLE_EQ(spent("b"), largest_rho(1, 1e-6));
}

TEST_F(PrivacyCharges, OfSeveralProcessesGoToEachFileOnce) {
  in_a_group_of(4, [&](std::size_t process, ProcessGroup& group) {
    charge_privacy(method, asking(1, process == 3 ? "own" : "shared"), group);
  });
  EXPECT_DOUBLE_EQ(spent("shared"), largest_rho(1, 1e-6));
  EXPECT_DOUBLE_EQ(spent("own"), largest_rho(1, 1e-6));
  in_a_group_of(
      4, [&](std::size_t, ProcessGroup& group) { charge_privacy(method, asking(1, "shared"), group); });
  EXPECT_DOUBLE_EQ(spent("shared"), 2 * largest_rho(1, 1e-6));
}

TEST_F(PrivacyCharges, CostNobodyAnythingIfOneProcessHasTooLittleLeft) {
  charge_alone(asking(3.9, "poor"));
  const double before = spent("poor");
  in_a_group_of(3, [&](std::size_t process, ProcessGroup& group) {
    expect_error(ErrorCategory::InvalidArgument, {"poor", "too little left"},
                 [&] { charge_privacy(method, asking(1, process == 2 ? "poor" : "rich"), group); });
  });
  EXPECT_FALSE(fs::exists(file("rich")));
  EXPECT_DOUBLE_EQ(spent("poor"), before);
}

TEST_F(PrivacyCharges, ArePlannedWithoutBeingMade) {
  EXPECT_THAT(privacy_words(asking(1, "a")),
              ElementsAre(HasSubstr("epsilon 1, delta 1e-06 for each sample"), HasSubstr("rho = 0.0"),
                          HasSubstr("epsilon 0 of 4 spent (delta 1e-06); with this run 1")));
  EXPECT_FALSE(fs::exists(file("a")));
  charge_alone(asking(3, "a"));
  const std::string before = text_of(file("a"));
  EXPECT_THAT(privacy_words(asking(3, "a")).back(), HasSubstr("epsilon 3 of 4 spent (delta 1e-06); this run "
                                                              "would make it 4.4"));
  EXPECT_EQ(text_of(file("a")), before);
  EXPECT_THAT(privacy_words(asking(1)).back(), HasSubstr("nothing adds up"));
}

TEST(PrivacyWords, OfAReleaseSayHowMuchNoiseItHas) {
  EXPECT_EQ(words_of(Release{.what = "counts", .sensitivity = 2, .rho = 0.5}),
            "counts: noise of standard deviation 2, rho 0.5");
}

void expect_refused(const Settings& settings, const std::vector<std::string>& words) {
  const std::string said =
      test::message_of(ErrorCategory::InvalidArgument, [&] { require_privacy_settings(settings); });
  for (const std::string& word : words) EXPECT_THAT(said, HasSubstr(word));
}

TEST(PrivacySettings, NeedEachOther) {
  EXPECT_NO_THROW(require_privacy_settings(Settings()));
  for (const std::string name : {"delta", "clip", "privacy-budget", "privacy-limit"}) {
    Settings settings;
    settings.given.insert(name);
    expect_refused(settings, {"--" + name, "add --privacy EPSILON"});
    settings.privacy.asked.epsilon = 1;
    EXPECT_NO_THROW(require_privacy_settings(settings)) << name;
  }
  Settings without_file;
  without_file.privacy.asked.epsilon = 1;
  without_file.privacy.limit = 4;
  expect_refused(without_file, {"--privacy-limit", "--privacy-budget FILE"});
}

TEST(PrivacySettings, DoNotGoTogetherWithWhatWouldShowSamples) {
  Settings private_run;
  private_run.privacy.asked.epsilon = 1;
  EXPECT_NO_THROW(require_privacy_settings(private_run));
  const auto refused = [&](auto change, const std::string& option) {
    Settings settings = private_run;
    change(settings);
    expect_refused(settings, {option, "--privacy", "leave it out"});
    settings.privacy.asked.epsilon.reset();
    EXPECT_NO_THROW(require_privacy_settings(settings)) << option;
  };
  refused(
      [](Settings& s) {
        s.given.insert("lost-peers");
        s.network.lost_peers = LostPeers::proceed;
      },
      "--lost-peers continue");
  refused([](Settings& s) { s.network.yardsticks = true; }, "--yardsticks");
  refused([](Settings& s) { s.network.keep_samples = true; }, "--keep-samples");
  refused([](Settings& s) { s.data.by = "label:2"; }, "--by label");
  refused([](Settings& s) { s.data.select_labels = {3, 8}; }, "--select-labels");
  refused([](Settings& s) { s.given.insert("resume"); }, "--resume");
}

}  // namespace
}  // namespace choir
