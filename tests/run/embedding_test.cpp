#include "choir/run/embedding.h"

#include <cmath>

#include "linalg/matrices.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

using choir::testing::random_matrix;
using ::testing::ElementsAre;

// Scores are the first features.
LinearModel plane_of(Index features, Index components = 2) {
  LinearModel model;
  model.mean = Vector::Zero(features);
  model.components = Matrix::Identity(features, components);
  model.eigenvalues = Vector::Ones(components);
  model.trace = static_cast<double>(components);
  return model;
}

TEST(EmbeddingSketch, HasScoresWithTheLabelsOfTheSamples) {
  const std::vector<Samples> shards = {random_matrix(4, 3, 1), random_matrix(4, 2, 2)};
  EmbeddingSketch sketch;
  sketch.keep({.first = 0, .last = 2}, shards, {{7, 8, 9}, {}});
  EXPECT_FALSE(sketch.drawing());
  for (const NodeId node : {0, 1, 5}) sketch.add(node, plane_of(4, 3), 1);
  const EmbeddingDrawing drawing = *sketch.drawing();
  EXPECT_EQ(drawing.samples, 5);
  ASSERT_EQ(drawing.nodes.size(), 2u);
  const Matrix& points = drawing.nodes[0].coordinates;
  ASSERT_EQ(points.cols(), 3) << "all components";
  EXPECT_TRUE(points.isApprox(shards[0].topRows(3).transpose(), 1e-3));
  EXPECT_THAT(drawing.nodes[0].labels, ElementsAre(7, 8, 9));
  EXPECT_TRUE(drawing.nodes[1].labels.empty());
}

TEST(EmbeddingSketch, SaysWhoseItIsWhereOthersHaveNodesToo) {
  EmbeddingSketch sketch;
  sketch.keep({.first = 4, .last = 6}, {random_matrix(2, 3, 1), random_matrix(2, 3, 2)}, {});
  sketch.add(4, plane_of(2), 1);
  EXPECT_EQ(sketch.drawing()->whose, "");
  sketch.say_whose({.first = 4, .last = 6});
  EXPECT_EQ(sketch.drawing()->whose, "nodes 4 to 5");
  sketch.say_whose({.first = 4, .last = 5});
  EXPECT_EQ(sketch.drawing()->whose, "node 4");
}

TEST(EmbeddingSketch, IsSmallWhateverThereIs) {
  const std::vector<Samples> shards(200, random_matrix(12, 300, 1));
  EmbeddingSketch sketch;
  sketch.keep({.first = 0, .last = 200}, shards, {});
  for (NodeId node = 0; node < 200; ++node) sketch.add(node, plane_of(12, 12), 1);
  const EmbeddingDrawing drawing = *sketch.drawing();
  EXPECT_EQ(std::ssize(drawing.nodes), EmbeddingSketch::most_nodes);
  Index numbers = 0;
  for (const auto& node : drawing.nodes) numbers += node.coordinates.size();
  EXPECT_LE(numbers, EmbeddingSketch::most_numbers);
  EXPECT_GT(numbers, EmbeddingSketch::most_numbers / 2);
  EXPECT_EQ(drawing.nodes.front().coordinates.cols(), EmbeddingSketch::most_components);
  EXPECT_GT(drawing.nodes.back().node, 190) << "nodes from everywhere";
}

TEST(EmbeddingSketch, OfClustersIsColouredByThem) {
  ClusterModel model;
  model.kernel.kind = KernelKind::linear;
  model.sample_features = 2;
  model.points = Matrix::Identity(2, 2);
  model.projection = Matrix::Identity(2, 2);
  model.centroids = Matrix::Identity(2, 2);
  model.counts = Vector::Ones(2);
  EmbeddingSketch sketch;
  sketch.keep({.first = 0, .last = 1}, {Matrix::Identity(2, 2)}, {{5, 5}});
  sketch.add(0, model, 1);
  EXPECT_EQ(sketch.drawing()->axis, "coordinate");
  EXPECT_TRUE(sketch.drawing()->nodes[0].coordinates.isApprox(Matrix::Identity(2, 2)));
  EXPECT_THAT(sketch.drawing()->nodes[0].labels, ElementsAre(0, 1));
}

TEST(EmbeddingSketch, OfScoresThatAreKnownHasEverySampleOrSome) {
  const Matrix scores = random_matrix(3, 3, 1);
  EmbeddingSketch few;
  few.add_scores({.node = 2, .name = "every party", .scores = scores, .labels = {4, 5, 6}});
  EXPECT_EQ(few.drawing()->samples, 3);
  EXPECT_EQ(few.drawing()->nodes[0].name, "every party");
  EXPECT_TRUE(few.drawing()->nodes[0].coordinates.isApprox(scores, 1e-3));
  const Index most = EmbeddingSketch::most_numbers / EmbeddingSketch::most_components;
  const Index samples = 3 * most;
  Matrix numbered(samples, 2);
  numbered.col(0).setLinSpaced(0, static_cast<double>(samples - 1));
  numbered.col(1).setZero();
  std::vector<std::int64_t> labels;
  for (Index n = 0; n < samples; ++n) labels.push_back(n);
  EmbeddingSketch many;
  many.add_scores({.node = 0, .name = "", .scores = numbered, .labels = labels});
  const auto points = many.drawing()->nodes[0];
  EXPECT_EQ(points.coordinates.rows(), most);
  EXPECT_EQ(points.coordinates(7, 0), 21);
  EXPECT_EQ(points.labels[7], 21) << "the label goes with its sample";
}

TEST(EmbeddingSketch, OfAMachineThereIsNone) {
  EmbeddingSketch sketch;
  sketch.keep({.first = 0, .last = 1}, {random_matrix(2, 3, 1)}, {});
  sketch.add(0, KernelMachine(), 1);
  EXPECT_FALSE(sketch.drawing());
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

TEST(DecisionDrawing, HasTheAnswersInTheMiddleOfEveryCell) {
  const DecisionDrawing drawing =
      *draw_decisions({{.node = 4, .machine = machine_of_the_first_feature({-3, 8})}});
  const auto [low, high] = drawing.x;
  EXPECT_THAT(drawing.classes, ElementsAre(-3, 8));
  EXPECT_EQ(drawing.nodes[0].node, 4);
  const std::vector<double>& cells = drawing.nodes[0].values;
  ASSERT_EQ(std::ssize(cells), drawing.columns * drawing.rows);
  for (Index cell = 0; cell < std::ssize(cells); ++cell) {
    const double x = low + (static_cast<double>(cell % drawing.columns) + 0.5) * (high - low) /
                               static_cast<double>(drawing.columns);
    EXPECT_EQ(cells[static_cast<std::size_t>(cell)], x > 0 ? 1 : 0) << cell;
  }
  const DecisionDrawing values = *draw_decisions({{.node = 4, .machine = machine_of_the_first_feature({})}});
  EXPECT_TRUE(values.classes.empty());
  EXPECT_NEAR(values.nodes[0].values[0], low + (high - low) / 80, 1e-3);
}

TEST(DecisionDrawing, CoversTheDictionariesInTheUnitsOfTheFiles) {
  KernelMachine other = machine_of_the_first_feature({0, 1});
  other.preprocessing.divide = 10;
  const DecisionDrawing drawing = *draw_decisions(
      {{.node = 0, .machine = machine_of_the_first_feature({0, 1})}, {.node = 1, .machine = other}});
  EXPECT_EQ(drawing.nodes.size(), 2u);
  EXPECT_THAT(drawing.x, ElementsAre(-12.0, 12.0)) << "-10 to 10, and a tenth more on each side";
  EXPECT_THAT(drawing.y, ElementsAre(-4.0, 44.0));
}

TEST(DecisionDrawing, NeedsTwoFeaturesAndADictionary) {
  EXPECT_FALSE(draw_decisions({}));
  KernelMachine machine = machine_of_the_first_feature({0, 1});
  machine.points = Samples::Zero(3, 3);
  EXPECT_FALSE(draw_decisions({{.node = 0, .machine = machine}}));
  machine.points.resize(2, 0);
  machine.weights.resize(0, 2);
  EXPECT_FALSE(draw_decisions({{.node = 0, .machine = machine}}));
}

}  // namespace
}  // namespace choir
