#include "choir/cli/embedding_facts.h"

#include "linalg/matrices.h"
#include <gtest/gtest.h>

namespace choir::cli {
namespace {

using choir::testing::random_matrix;
using Json = nlohmann::ordered_json;

// Scores are the first two features.
LinearModel plane_of(Index features) {
  LinearModel model;
  model.mean = Vector::Zero(features);
  model.components = Matrix::Identity(features, 2);
  model.eigenvalues = Vector::Ones(2);
  model.trace = 2;
  return model;
}

TEST(EmbeddingFacts, AreScoresWithTheLabelsOfTheSamples) {
  const std::vector<Samples> shards = {random_matrix(4, 3, 1), random_matrix(4, 2, 2)};
  EmbeddingFacts facts;
  facts.keep({.first = 0, .last = 2}, shards, {{7, 8, 9}, {}});
  EXPECT_TRUE(facts.json().is_null());
  facts.add(0, plane_of(4));
  facts.add(1, plane_of(4));
  facts.add(5, plane_of(4));
  const Json json = facts.json();
  EXPECT_EQ(json.at("of"), 5);
  ASSERT_EQ(json.at("nodes").size(), 2u);
  const Json& points = json.at("nodes")[0].at("points");
  ASSERT_EQ(points.size(), 3u);
  for (std::size_t n = 0; n < 3; ++n) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const double exact = shards[0](static_cast<Index>(axis), static_cast<Index>(n));
      EXPECT_NEAR(points[n][axis].get<double>(), exact, 1e-3 * std::abs(exact));
    }
    EXPECT_EQ(points[n][2], static_cast<int>(7 + n));
  }
  EXPECT_TRUE(json.at("nodes")[1].at("points")[0][2].is_null()) << "no labels";
}

TEST(EmbeddingFacts, AreFewWhateverThereIs) {
  std::vector<Samples> shards(200, random_matrix(2, 300, 1));
  EmbeddingFacts facts;
  facts.keep({.first = 0, .last = 200}, shards, {});
  for (NodeId node = 0; node < 200; ++node) facts.add(node, plane_of(2));
  const Json json = facts.json();
  EXPECT_EQ(json.at("nodes").size(), static_cast<std::size_t>(EmbeddingFacts::most_nodes));
  std::size_t points = 0;
  for (const Json& node : json.at("nodes")) points += node.at("points").size();
  EXPECT_LE(points, static_cast<std::size_t>(EmbeddingFacts::most_points));
  EXPECT_GT(points, static_cast<std::size_t>(EmbeddingFacts::most_points) / 2);
  EXPECT_EQ(json.at("nodes")[0].at("node"), 0);
  EXPECT_GT(json.at("nodes").back().at("node"), 190) << "nodes from everywhere";
}

TEST(EmbeddingFacts, OfClustersAreColouredByThem) {
  ClusterModel model;
  model.kernel.kind = KernelKind::linear;
  model.sample_features = 2;
  model.points = Matrix::Identity(2, 2);
  model.projection = Matrix::Identity(2, 2);
  model.centroids = Matrix::Identity(2, 2);
  model.counts = Vector::Ones(2);
  EmbeddingFacts facts;
  facts.keep({.first = 0, .last = 1}, {Matrix::Identity(2, 2)}, {{5, 5}});
  facts.add(0, model);
  EXPECT_EQ(facts.json().at("nodes")[0].at("points"), Json::parse("[[1.0, 0.0, 0], [0.0, 1.0, 1]]"));
}

TEST(EmbeddingFacts, OfAMachineThereAreNone) {
  EmbeddingFacts facts;
  facts.keep({.first = 0, .last = 1}, {random_matrix(2, 3, 1)}, {});
  facts.add(0, KernelMachine());
  EXPECT_TRUE(facts.json().is_null());
}

}  // namespace
}  // namespace choir::cli
