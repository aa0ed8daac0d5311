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

LinearModel model_of(Index features, Index components) {
  LinearModel model = plane_of(features);
  model.components = Matrix::Identity(features, components);
  model.eigenvalues = Vector::Ones(components);
  return model;
}

TEST(EmbeddingFacts, HaveTheComponentsThatAllNodesHaveUpToTen) {
  const std::vector<Samples> shards = {random_matrix(12, 3, 1), random_matrix(12, 2, 2)};
  EmbeddingFacts facts;
  facts.keep({.first = 0, .last = 2}, shards, {{7, 8, 9}, {1, 2}});
  facts.add(0, model_of(12, 12));
  EXPECT_EQ(facts.json().at("axes").size(), 10u);
  EXPECT_EQ(facts.json().at("axes")[9], "component 10");
  EXPECT_EQ(facts.json().at("nodes")[0].at("points")[2][10], 9) << "the label comes last";
  facts.add(1, model_of(12, 4));
  const Json json = facts.json();
  EXPECT_EQ(json.at("axes").size(), 4u);
  for (const Json& node : json.at("nodes")) {
    for (const Json& point : node.at("points")) EXPECT_EQ(point.size(), 5u);
  }
  const double exact = shards[1](3, 1);
  EXPECT_NEAR(json.at("nodes")[1].at("points")[1][3].get<double>(), exact, 1e-3 * std::abs(exact));
  EXPECT_EQ(json.at("labels_are"), "labels");
}

TEST(EmbeddingFacts, OfOneComponentAreDrawnAlongTheSamples) {
  EmbeddingFacts facts;
  facts.keep({.first = 0, .last = 1}, {random_matrix(3, 2, 1)}, {});
  facts.add(0, model_of(3, 1));
  const Json json = facts.json();
  EXPECT_EQ(json.at("axes"), Json::parse(R"(["component 1", "sample"])"));
  EXPECT_EQ(json.at("nodes")[0].at("points")[1][1], 1);
  EXPECT_TRUE(json.at("nodes")[0].at("points")[1][2].is_null());
}

TEST(EmbeddingFacts, StaySmallAsIndentedJson) {
  const Matrix scores = -1.2345e-5 * Matrix::Ones(2 * EmbeddingFacts::most_points, 12);
  EmbeddingFacts facts;
  facts.add_scores(
      {.node = 0, .name = "every party", .scores = scores, .labels = std::vector<std::int64_t>(8000, 12345)});
  const Json result = {{"embedded_samples", facts.json()}};
  EXPECT_LT(result.dump(2).size(), 1'500'000u);
}

TEST(EmbeddingFacts, SayWhoseTheyAreWhereOthersHaveNodesToo) {
  EmbeddingFacts facts;
  facts.keep({.first = 4, .last = 6}, {random_matrix(2, 3, 1), random_matrix(2, 3, 2)}, {});
  facts.add(4, plane_of(2));
  EXPECT_FALSE(facts.json().contains("whose"));
  facts.say_whose({.first = 4, .last = 6});
  EXPECT_EQ(facts.json().at("whose"), "nodes 4 to 5");
  facts.say_whose({.first = 4, .last = 5});
  EXPECT_EQ(facts.json().at("whose"), "node 4");
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
  EXPECT_EQ(facts.json().at("labels_are"), "clusters");
}

TEST(EmbeddingFacts, OfScoresThatCameWithAnAnswerAreOfEverySampleOrSome) {
  const Matrix scores = random_matrix(3, 3, 1);
  EmbeddingFacts few;
  few.add_scores({.node = 2, .name = "every party", .scores = scores, .labels = {4, 5, 6}});
  const Json json = few.json();
  EXPECT_EQ(json.at("axes"), Json::parse(R"(["component 1", "component 2", "component 3"])"));
  EXPECT_EQ(json.at("of"), 3);
  ASSERT_EQ(json.at("nodes").size(), 1u);
  const Json& entry = json.at("nodes")[0];
  EXPECT_EQ(entry.at("node"), 2);
  EXPECT_EQ(entry.at("name"), "every party");
  for (std::size_t n = 0; n < 3; ++n) {
    const double exact = scores(static_cast<Index>(n), 1);
    EXPECT_NEAR(entry.at("points")[n][1].get<double>(), exact, 1e-3 * std::abs(exact));
    EXPECT_EQ(entry.at("points")[n][3], static_cast<int>(4 + n));
  }

  const Index samples = 3 * EmbeddingFacts::most_points;
  Matrix numbered(samples, 2);
  numbered.col(0).setLinSpaced(0, static_cast<double>(samples - 1));
  numbered.col(1).setZero();
  std::vector<std::int64_t> labels;
  for (Index n = 0; n < samples; ++n) labels.push_back(n);
  EmbeddingFacts many;
  many.add_scores({.node = 0, .name = "every party", .scores = numbered, .labels = labels});
  EXPECT_EQ(many.json().at("of"), samples);
  const Json points = many.json().at("nodes")[0].at("points");
  EXPECT_EQ(points.size(), static_cast<std::size_t>(EmbeddingFacts::most_points));
  EXPECT_EQ(points[7], Json::parse("[21.0, 0.0, 21]")) << "the label goes with its sample";
}

// f(x, y) = x, a value; or the sign of x, as two classes.
KernelMachine machine_of_the_first_feature(std::vector<std::int64_t> classes) {
  KernelMachine machine;
  machine.kernel.kind = KernelKind::linear;
  machine.points.resize(2, 3);
  machine.points << 1, 0, -1, 0, 4, 1;
  machine.weights = Matrix::Zero(3, classes.empty() ? 1 : 2);
  machine.weights(0, machine.weights.cols() - 1) = 1;
  machine.loss = classes.empty() ? "squared" : "hinge";
  machine.classes = std::move(classes);
  return machine;
}

TEST(DecisionFacts, AreTheAnswersInTheMiddleOfEveryCell) {
  const Json json = decision_facts({{.node = 4, .machine = machine_of_the_first_feature({-3, 8})}});
  const auto columns = json.at("columns").get<std::size_t>();
  const double low = json.at("x")[0].get<double>();
  const double high = json.at("x")[1].get<double>();
  EXPECT_EQ(json.at("classes"), Json::parse("[-3, 8]"));
  EXPECT_EQ(json.at("nodes")[0].at("node"), 4);
  const Json& cells = json.at("nodes")[0].at("cells");
  ASSERT_EQ(cells.size(), columns * json.at("rows").get<std::size_t>());
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const double x =
        low + (static_cast<double>(cell % columns) + 0.5) * (high - low) / static_cast<double>(columns);
    EXPECT_EQ(cells[cell], x > 0 ? 1 : 0) << cell;
  }
  const Json values = decision_facts({{.node = 4, .machine = machine_of_the_first_feature({})}});
  EXPECT_TRUE(values.at("classes").empty());
  EXPECT_NEAR(values.at("nodes")[0].at("cells")[0].get<double>(), low + (high - low) / 80, 1e-3);
}

TEST(DecisionFacts, CoverTheDictionariesInTheUnitsOfTheFiles) {
  KernelMachine other = machine_of_the_first_feature({0, 1});
  other.preprocessing.divide = 10;
  const Json json = decision_facts(
      {{.node = 0, .machine = machine_of_the_first_feature({0, 1})}, {.node = 1, .machine = other}});
  EXPECT_EQ(json.at("nodes").size(), 2u);
  EXPECT_EQ(json.at("x"), Json::parse("[-12.0, 12.0]")) << "-10 to 10, and a tenth more on each side";
  EXPECT_EQ(json.at("y"), Json::parse("[-4.0, 44.0]"));
}

TEST(DecisionFacts, NeedTwoFeaturesAndADictionary) {
  EXPECT_TRUE(decision_facts({}).is_null());
  KernelMachine machine = machine_of_the_first_feature({0, 1});
  machine.points = Samples::Zero(3, 3);
  EXPECT_TRUE(decision_facts({{.node = 0, .machine = machine}}).is_null());
  machine.points.resize(2, 0);
  machine.weights.resize(0, 2);
  EXPECT_TRUE(decision_facts({{.node = 0, .machine = machine}}).is_null());
}

TEST(EmbeddingFacts, OfAMachineThereAreNone) {
  EmbeddingFacts facts;
  facts.keep({.first = 0, .last = 1}, {random_matrix(2, 3, 1)}, {});
  facts.add(0, KernelMachine());
  EXPECT_TRUE(facts.json().is_null());
}

}  // namespace
}  // namespace choir::cli
