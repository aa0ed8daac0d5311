#include "choir/learn/gossip_pca/models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir::gossip_pca {
namespace {

using ::testing::ElementsAre;
using ::testing::Key;

NodeResult node_with_two_coordinates() {
  NodeResult node;
  node.node = 3;
  node.mean = Vector::Zero(2);
  node.directions = Matrix::Identity(2, 1);
  node.loadings = Matrix::Identity(2, 1);
  node.variances = Vector::Ones(1);
  return node;
}

TEST(GossipModels, AFileHasTheWholeModelWhereSamplesAreSpread) {
  const ModelFile file = file_of(node_with_two_coordinates(), {});
  EXPECT_EQ(file.node, 3);
  EXPECT_EQ(file.use, "shared");
  EXPECT_THAT(file.answers, ElementsAre(Key("shared")));
  EXPECT_TRUE(std::holds_alternative<LinearModel>(file.answer()));
}

TEST(GossipModels, APartKnowsItsColumns) {
  NodeResult node = node_with_two_coordinates();
  node.division = Division::coordinates;
  const ModelFile file = file_of(node, {4, 7});
  EXPECT_THAT(std::get<LinearPart>(file.answer()).columns, ElementsAre(4, 7));
}

}  // namespace
}  // namespace choir::gossip_pca
