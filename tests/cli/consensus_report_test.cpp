#include "choir/cli/consensus_report.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

ConsensusKpca node_of(NodeId id, double gap) {
  ConsensusKpca node;
  node.node = id;
  node.eigenvalues = (Vector(2) << 30, 10).finished();
  node.trace = 100;
  node.converged = true;
  node.iterations = 2;
  node.change = 0.001 * (id + 1);
  node.consensus_gap = Vector::Constant(2, gap);
  node.between_node_variance = 0.05;
  node.rho = 250;
  node.history = {{.change = 0.2, .gap = 0.4}, {.change = node.change, .gap = gap}};
  node.notes = {"the nodes' data differ"};
  node.setup_seconds = 0.1;
  node.iterate_seconds = 0.2 * (id + 1);
  return node;
}

// Node 1 of three crashed.
ConsensusKpcaFit fit_of_two() {
  ConsensusKpcaFit fit;
  fit.nodes = {node_of(0, 0.1), std::nullopt, node_of(2, 0.3)};
  return fit;
}

RunResult result_of_two() {
  const Json numbers = numbers_of(fit_of_two());
  RunResult result;
  result.nodes = 3;
  summarise_consensus({numbers.begin(), numbers.end()}, result);
  return result;
}

TEST(ConsensusReport, LeavesOutNodesWithoutAnAnswer) { EXPECT_EQ(numbers_of(fit_of_two()).size(), 2u); }

TEST(ConsensusReport, SummarisesTheNodes) {
  const RunResult result = result_of_two();
  EXPECT_EQ(result.n_components, 2);
  EXPECT_DOUBLE_EQ(result.explained_variance_ratio(0), 0.3);
  EXPECT_THAT(result.consensus_gap, ElementsAre(0.2, 0.2));
  EXPECT_EQ(result.converged, true);
  EXPECT_EQ(result.iterations, 2);
  EXPECT_DOUBLE_EQ(*result.change, 0.003);
  EXPECT_DOUBLE_EQ(result.iterate_seconds, 0.6);
  EXPECT_THAT(result.notes, ElementsAre("the nodes' data differ"));
  EXPECT_EQ(result.extra["rho"], 250);
}

TEST(ConsensusReport, OneNodeThatDidNotConvergeIsEnough) {
  ConsensusKpcaFit fit = fit_of_two();
  fit.nodes[2]->converged = false;
  const Json numbers = numbers_of(fit);
  RunResult result;
  summarise_consensus({numbers.begin(), numbers.end()}, result);
  EXPECT_EQ(result.converged, false);
}

TEST(ConsensusReport, HasALineForEveryIterationOfANode) {
  const std::vector<Json> lines = iteration_lines(numbers_of(fit_of_two())[1]);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].dump(), R"({"node":2,"iteration":2,"change":0.003,"gap":0.3})");
  const Vector similarity{{0.5, 0.75}};
  EXPECT_EQ(iteration_lines(numbers_of(fit_of_two())[1], similarity)[1].dump(),
            R"({"node":2,"iteration":2,"change":0.003,"gap":0.3,"similarity":0.75})");
}

TEST(ConsensusReport, SaysWhatLeftANodeAndHowTheRunEnded) {
  RunResult result = result_of_two();
  result.ledger["raw_samples"] = {.messages = 3, .bytes = 3 * 2048};
  result.ledger["control"] = {};
  EXPECT_THAT(consensus_table(result),
              HasSubstr("sent by a node (mean): raw samples 2.0 KiB, no centroids\n"));
  EXPECT_THAT(consensus_table(result), HasSubstr("\nconverged after 2 iterations"));
  result.converged = false;
  EXPECT_THAT(consensus_table(result), HasSubstr("\nNOT converged after 2 iterations"));
  result.converged = std::nullopt;
  EXPECT_THAT(consensus_table(result), HasSubstr("\n2 iterations, a run of fixed length"));
}

TEST(ConsensusReport, ComparesWithTheYardsticksThereAre) {
  RunResult result = result_of_two();
  EXPECT_THAT(consensus_table(result), Not(HasSubstr("similarity")));
  const Matrix some = (Matrix(3, 2) << 0.8, 0.7, std::numeric_limits<double>::quiet_NaN(),
                       std::numeric_limits<double>::quiet_NaN(), 0.9, 0.8)
                          .finished();
  ConsensusQuality quality;
  quality.similarity_own = some;
  quality.yardsticks = {.local = some, .gather_own = some, .gather_neighborhood = some, .oracle = some};
  quality.subspace_cosine_min = 0.97;
  describe_quality(quality, result);
  const std::string table = consensus_table(result);
  EXPECT_THAT(table, HasSubstr("consensus, own"));
  EXPECT_THAT(table, HasSubstr("0.8500"));
  EXPECT_THAT(table, Not(HasSubstr("consensus, shared")));
  EXPECT_THAT(table, HasSubstr("central subspace: 0.9700"));
}

}  // namespace
}  // namespace choir::cli
