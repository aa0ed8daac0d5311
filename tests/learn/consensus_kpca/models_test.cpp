#include "choir/learn/consensus_kpca/models.h"

#include "graph/expect_error.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir::consensus_kpca {
namespace {

using testing::expect_error;
using ::testing::Key;
using ::testing::UnorderedElementsAre;

// Node 2 with three samples of its own and two of node 5.
NodeResult node_with_a_neighbor() {
  NodeResult node;
  node.node = 2;
  node.centering = Centering::none;
  node.neighborhood = {2, 5};
  node.shards = {Samples(Samples::Identity(2, 3)), Samples(Samples::Ones(2, 2))};
  node.own_coefficients = Matrix::Ones(3, 1);
  node.own_overlap = Matrix::Identity(1, 1);
  node.neighborhood_coefficients = Matrix::Ones(5, 1);
  node.eigenvalues = Vector::Ones(1);
  node.trace = 2;
  return node;
}

TEST(ConsensusModels, AFitHasTheAnswerItUsesFirst) {
  NodeResult node = node_with_a_neighbor();
  node.use = Answer::neighborhood;
  EXPECT_EQ(answers_in(node), (std::vector<Answer>{Answer::neighborhood, Answer::own}));
  node.shared_coefficients = Matrix::Ones(4, 1);
  node.use = Answer::shared;
  EXPECT_EQ(answers_in(node), (std::vector<Answer>{Answer::shared, Answer::neighborhood, Answer::own}));
}

TEST(ConsensusModels, WithoutSamplesOnlyTheSharedAnswerIsLeftWhereNoneAreShared) {
  NodeResult node = node_with_a_neighbor();
  node.shared_coefficients = Matrix::Ones(4, 1);
  node.use = Answer::shared;
  EXPECT_EQ(answers_in(node, Contents::no_samples), answers_in(node)) << "neighbours have seen them";
  node.share = Share::landmarks;
  EXPECT_EQ(answers_in(node), (std::vector<Answer>{Answer::shared, Answer::own}));
  EXPECT_EQ(answers_in(node, Contents::no_samples), std::vector<Answer>{Answer::shared});
}

TEST(ConsensusModels, AnAnswerThatCannotBeIsRefusedBeforeTheFit) {
  Options options;
  options.use = Answer::neighborhood;
  expect_error(ErrorCategory::InvalidArgument, {"use is neighborhood, but share landmarks", "share samples"},
               [&] { validate(options); });
  options = {.centering = Centering::local, .share = Share::samples, .use = Answer::shared};
  expect_error(ErrorCategory::InvalidArgument, {"use is shared, but centering local", "centering landmark"},
               [&] { validate(options); });
}

TEST(ConsensusModels, AFileSaysWhoseSamplesItCarries) {
  const ModelFile file = file_of([] {
    NodeResult node = node_with_a_neighbor();
    node.use = Answer::own;
    return node;
  }());
  EXPECT_EQ(file.node, 2);
  EXPECT_EQ(file.use, "own");
  EXPECT_EQ(file.parameters.at("neighborhood"), "2,5");
  EXPECT_EQ(file.parameters.at("samples"), "3,2");
  EXPECT_THAT(file.answers, UnorderedElementsAre(Key("own"), Key("neighborhood")));
}

}  // namespace
}  // namespace choir::consensus_kpca
