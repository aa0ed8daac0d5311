#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/learn/online_kernel/findings.h"

namespace choir::online_kernel {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Options classes_of(std::vector<std::int64_t> classes) {
  Options options;
  options.representation = Representation::dictionary;
  options.classes = std::move(classes);
  return options;
}

Options values() {
  Options options;
  options.loss = Loss::squared;
  return options;
}

// K x 3: came, predicted, right.
NodeFindings streamed(const Matrix& classes) {
  NodeFindings node{.model_order = 5};
  node.progressive.samples = classes.col(0).sum();
  node.progressive.classes = classes;
  return node;
}

TEST(OnlineWeaknesses, AGoodModelHasNone) {
  const Matrix good{{50, 52, 45}, {50, 48, 43}};
  EXPECT_THAT(weaknesses({streamed(good)}, classes_of({0, 1})), IsEmpty());
}

TEST(OnlineWeaknesses, SayThatModelsAreEmpty) {
  const std::vector<NodeFindings> nodes = {{.model_order = 0}, {.node = 1, .model_order = 3}};
  EXPECT_THAT(weaknesses(nodes, classes_of({0, 1})),
              ElementsAre(AllOf(HasSubstr("1 of 2 nodes are empty"), HasSubstr("--epsilon"))));
}

TEST(OnlineWeaknesses, SayThatAClassIsNeverPredicted) {
  const Matrix rare_lost{{900, 910, 880}, {900, 920, 890}, {60, 0, 0}};
  EXPECT_THAT(weaknesses({streamed(rare_lost)}, classes_of({4, 5, 9})),
              ElementsAre(AllOf(HasSubstr("class 9 was never predicted"), HasSubstr("--max-atoms"))));
  Options unweighted = classes_of({4, 5, 9});
  unweighted.class_weights = ClassWeights::none;
  EXPECT_THAT(weaknesses({streamed(rare_lost)}, unweighted),
              ElementsAre(HasSubstr("--class-weights balanced")));
  EXPECT_THAT(weaknesses({streamed(rare_lost)}, classes_of({0, 1, 2}), {"cat", "dog", "emu"}),
              ElementsAre(HasSubstr("class emu was never predicted")));
  const Matrix few{{900, 910, 880}, {900, 902, 890}, {30, 0, 0}};
  EXPECT_THAT(weaknesses({streamed(few)}, classes_of({4, 5, 9})), IsEmpty()) << "30 samples tell too little";
}

TEST(OnlineWeaknesses, SayThatOneAnswerWouldBeAsGood) {
  const Matrix chance{{100, 95, 48}, {100, 105, 52}};
  EXPECT_THAT(weaknesses({streamed(chance)}, classes_of({0, 1})),
              ElementsAre(AllOf(HasSubstr("balanced accuracy"), HasSubstr("0.500"), HasSubstr("--gamma"))));
  NodeFindings node{.model_order = 5};
  node.progressive = {.samples = 100, .squares = 399, .deviations = 400};
  EXPECT_THAT(weaknesses({node}, values()), ElementsAre(HasSubstr("no better than always the mean (2)")));
  node.progressive.squares = 100;
  EXPECT_THAT(weaknesses({node}, values()), IsEmpty());
}

// A node of those that share moments: what the answer says of the latest samples.
NodeFindings by_features(const FeatureFindings& features) {
  NodeFindings node = streamed(Matrix{{100, 95, 48}, {100, 105, 52}});  // no better than chance at first
  node.features = features;
  return node;
}

TEST(OnlineWeaknesses, AnswersOfFeaturesAreJudgedByTheirLatestSamples) {
  Options options = classes_of({0, 1});
  options.representation = Representation::random_features;
  EXPECT_THAT(weaknesses({by_features({.loss_ratio = 0.2, .classes = Matrix{{50, 48}, {50, 52}}})}, options),
              IsEmpty());
  EXPECT_THAT(weaknesses({by_features({.loss_ratio = 0.995})}, options),
              ElementsAre(AllOf(HasSubstr("no better than a constant one"), HasSubstr("1.00"))));
  options.classes = {3, 5, 7};
  EXPECT_THAT(
      weaknesses({by_features({.loss_ratio = 0.2, .classes = Matrix{{500, 539}, {30, 0}, {9, 0}}})}, options),
      ElementsAre(AllOf(HasSubstr("class 5 was never predicted"), HasSubstr("--n-features"))));
  EXPECT_THAT(weaknesses({by_features({.loss_ratio = 0})}, options), IsEmpty())
      << "where targets do not vary a constant is right";
}

// The streams say good, the test says otherwise.
TEST(OnlineWeaknesses, ATestCountsMoreThanTheStreams) {
  NodeFindings node = streamed(Matrix{{50, 52, 45}, {50, 48, 43}});
  node.test = TestFindings{.quality = 0.5, .confusion = {{0, {60, 0}}, {1, {60, 0}}}};
  EXPECT_THAT(weaknesses({node}, classes_of({0, 1})),
              ElementsAre(HasSubstr("class 1 was never predicted among the test samples"),
                          HasSubstr("of the test samples is 0.500")));
  NodeFindings of_values{.model_order = 5};
  of_values.test = TestFindings{.quality = 3, .deviation = 2};
  EXPECT_THAT(weaknesses({of_values}, values()),
              ElementsAre(AllOf(HasSubstr("test samples"), HasSubstr("is 3,"), HasSubstr("(2)"))));
}

}  // namespace
}  // namespace choir::online_kernel
