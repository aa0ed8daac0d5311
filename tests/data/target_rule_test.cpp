#include "choir/data/target_rule.h"

#include "data/support.h"

namespace choir {
namespace {

using Labels = std::vector<std::string>;

TEST(TargetRule, AllowsTheIntegersOfAList) {
  const TargetRule rule = integer_labels({-2, 0, 7});
  EXPECT_FALSE(rule.of_text);
  for (const double value : {-2.0, 0.0, 7.0}) EXPECT_TRUE(rule.allows(value)) << value;
  for (const double value : {1.0, 0.5, 1e300}) EXPECT_FALSE(rule.allows(value)) << value;
  EXPECT_EQ(rule.must_be, "one of the classes -2, 0, 7");
}

TEST(TargetRule, GivesWordsTheirPlaces) {
  const TargetRule rule = word_labels({"cat", "dog"});
  EXPECT_EQ(rule.of_text("cat"), 0);
  EXPECT_EQ(rule.of_text("dog"), 1);
  for (const char* word : {"", "ca", "cats", "Dog", "emu"}) EXPECT_FALSE(rule.of_text(word)) << word;
}

TEST(TargetRule, NamesTenOfManyClasses) {
  std::vector<std::int64_t> labels(100);
  for (std::size_t n = 0; n < labels.size(); ++n) labels[n] = static_cast<std::int64_t>(n);
  EXPECT_THAT(integer_labels(labels).must_be, HasSubstr("8, 9 and 90 more"));
}

// What a stream does with the texts of a column.
bool take(const TargetRule& rule, std::string_view text) {
  const std::optional<double> value = rule.of_text(text);
  return value && rule.allows(*value);
}

TEST(LabelCensus, FindsIntegersOnceAndAscending) {
  LabelCensus census;
  const TargetRule rule = census.rule();
  for (const char* text : {"3", "-1", "3.0", "+2"}) EXPECT_TRUE(take(rule, text)) << text;
  for (const char* text : {"cat", "", "0.5", "NA", "nan", "1e20"}) EXPECT_FALSE(take(rule, text)) << text;
  EXPECT_TRUE(rule.allows(7)) << "a number of a file of numbers";
  EXPECT_FALSE(census.has_words());
  EXPECT_EQ(census.labels(), (Labels{"-1", "2", "3", "7"}));
}

TEST(LabelCensus, FindsWordsIfTheFirstLabelIsOne) {
  LabelCensus census;
  const TargetRule rule = census.rule();
  for (const char* text : {"dog", "cat", "dog", "3"}) EXPECT_TRUE(take(rule, text)) << text;
  EXPECT_FALSE(take(rule, ""));
  EXPECT_TRUE(census.has_words());
  EXPECT_EQ(census.labels(), (Labels{"3", "cat", "dog"}));
}

TEST(LabelCensus, RefusesWordsThatAreTooManyToBeClasses) {
  LabelCensus census;
  const TargetRule rule = census.rule();
  for (int n = 0; n < 1000; ++n) rule.of_text("name " + std::to_string(n));
  EXPECT_EQ(census.labels().size(), 1000u);
  rule.of_text("one too many");
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { census.labels(); }),
              AllOf(HasSubstr("more than 1000"), HasSubstr("'one too many'")));
}

}  // namespace
}  // namespace choir
