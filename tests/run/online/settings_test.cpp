#include "choir/run/online/settings.h"

#include <iterator>
#include <sstream>

#include "graph/expect_error.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using choir::testing::expect_error;

// What auto chooses depends on other options.
OnlineSettings with_dictionary() {
  OnlineSettings settings;
  settings.method.representation = online_kernel::Representation::dictionary;
  return settings;
}

// Of an option and its value.
std::string identity_with(const std::string& given) {
  const std::size_t equals = given.find('=');
  OnlineSettings settings = with_dictionary();
  apply_options(online_option_table(),
                {{.name = given.substr(0, equals), .values = {given.substr(equals + 1)}}}, settings);
  complete_online_settings(settings);
  return online_identity(settings, 4, {"0", "1", "2"});
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

TEST(OnlineIdentity, HasAllThatDecidesWhatANodeLearns) {
  const std::string plain = online_identity(with_dictionary(), 4, {"0", "1", "2"});
  for (const std::string& given :
       words_of("data=b.csv labels=label by=iid select-labels=0,1 topology=ring random-state=1 divide=255 "
                "standardize=zscore kernel=cosine gamma=0.5 degree=4 coef0=2 normalized=true loss=hinge "
                "huber-width=2 consensus=none eta=0.5 epsilon=0.5 batch=16 alpha=0.5 max-atoms=7 "
                "penalty=0.5 penalty-doubling=7 schedule=constant representation=landmarks n-features=7 "
                "n-landmarks=7 min-count=5 half-life=100 class-weights=none")) {
    EXPECT_NE(identity_with(given), plain) << given;
  }
  EXPECT_NE(online_identity(with_dictionary(), 5, {"0", "1", "2"}), plain);
  EXPECT_NE(online_identity(with_dictionary(), 4, {"0", "1"}), plain);
}

TEST(OnlineIdentity, HasNothingElse) {
  const std::string plain = online_identity(with_dictionary(), 4, {"0", "1", "2"});
  for (const std::string& given :
       words_of("passes=3 test=t.csv test-labels=l.csv checkpoint=folder threads=2 engine=sim deadline=5s "
                "lost-peers=continue sim-loss=0.5 out=run report=true checkpoint-every=7 nodes=9 "
                "classes=5,6 on-bad-record=skip predictions=p.csv")) {
    EXPECT_EQ(identity_with(given), plain) << given;
  }
}

TEST(OnlineSettings, ClassesAreAscendingAndThereOnce) {
  OnlineSettings settings;
  settings.classes = {"10", "2", "1", "2"};
  complete_online_settings(settings);
  EXPECT_EQ(settings.classes, (std::vector<std::string>{"1", "2", "10"}));
}

TEST(OnlineSettings, ContradictionsAreRefused) {
  OnlineSettings values;
  values.method.loss = online_kernel::Loss::squared;
  values.classes = {"0", "1"};
  expect_error(ErrorCategory::InvalidArgument, {"--loss squared", "omit --classes"},
               [&] { complete_online_settings(values); });
  OnlineSettings resumed;
  resumed.resume = true;
  expect_error(ErrorCategory::InvalidArgument, {"--resume", "--checkpoint"},
               [&] { complete_online_settings(resumed); });
}

TEST(OnlineSettings, ModelsAreSavedAfterSamplesOrATime) {
  using Type = OptionType<SaveRhythm>;
  EXPECT_EQ(Type::parse("--save-every", "500").samples, 500u);
  EXPECT_EQ(Type::parse("--save-every", "90s").time, std::chrono::seconds(90));
  for (const char* text : {"500", "90s", "2min"}) EXPECT_EQ(Type::print(Type::parse("", text)), text);
  for (const char* text : {"0", "-1", "often"}) {
    expect_error(ErrorCategory::InvalidArgument, {"--save-every"},
                 [&] { Type::parse("--save-every", text); });
  }
  OnlineSettings settings;
  settings.save_every = SaveRhythm{.samples = 5};
  expect_error(ErrorCategory::InvalidArgument, {"--save-every", "--checkpoint FOLDER"},
               [&] { complete_online_settings(settings); });
}

OnlineSettings completed(const std::vector<GivenOption>& given) {
  OnlineSettings settings;
  apply_options(online_option_table(), given, settings);
  complete_online_settings(settings);
  return settings;
}

TEST(OnlineSettings, OptionsOfDictionariesMeanADictionary) {
  using online_kernel::Representation;
  const auto chosen = [](const std::vector<GivenOption>& given) {
    return representation_of(completed(given).method);
  };
  EXPECT_EQ(chosen({}), Representation::landmarks);
  EXPECT_EQ(chosen({{.name = "max-atoms", .values = {"40"}}}), Representation::dictionary);
  EXPECT_EQ(chosen({{.name = "lost-peers", .values = {"continue"}}}), Representation::dictionary);
  EXPECT_EQ(chosen({{.name = "loss", .values = {"huber"}}}), Representation::dictionary);
  EXPECT_EQ(chosen({{.name = "consensus", .values = {"none"}}}), Representation::dictionary);
  EXPECT_EQ(chosen({{.name = "representation", .values = {"random-features"}}}),
            Representation::random_features);
  expect_error(ErrorCategory::InvalidArgument, {"--eta is about dictionaries"}, [] {
    completed({{.name = "eta", .values = {"3"}}, {.name = "representation", .values = {"landmarks"}}});
  });
}

}  // namespace
}  // namespace choir
