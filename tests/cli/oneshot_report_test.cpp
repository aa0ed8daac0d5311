#include "choir/cli/oneshot_report.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

OneshotAnswer answer_of(double residual) {
  OneshotAnswer answer;
  answer.eigenvalues = (Vector(2) << 30, 10).finished();
  answer.trace = 100;
  answer.residual = residual;
  answer.bound = 0.5;
  answer.seconds = 2;
  return answer;
}

OneshotKpca node_of(NodeId id) {
  OneshotKpca node;
  node.node = id;
  node.features = Samples::Zero(3, 50);
  node.vectors_sent = 7 + id;
  node.local_seconds = 1 + id;
  return node;
}

// Node 1 is the centre.
OneshotKpcaFit fit_of_three() {
  OneshotKpcaFit fit;
  fit.nodes = {node_of(0), node_of(1), node_of(2)};
  fit.nodes[1]->answer = answer_of(1e-9);
  return fit;
}

std::vector<Json> entries_of(const OneshotKpcaFit& fit) {
  const Json numbers = numbers_of(fit);
  return {numbers.begin(), numbers.end()};
}

RunResult result_of(const OneshotKpcaFit& fit) {
  RunResult result;
  result.nodes = 3;
  summarise_oneshot(entries_of(fit), result);
  return result;
}

TEST(OneshotReport, HasNoEntryForNodesOfOtherProcesses) {
  OneshotKpcaFit fit = fit_of_three();
  fit.nodes[0].reset();
  EXPECT_EQ(numbers_of(fit).size(), 2u);
}

TEST(OneshotReport, SummarisesTheAnswerAndWhatWasSent) {
  const RunResult result = result_of(fit_of_three());
  EXPECT_EQ(result.samples, 50);
  EXPECT_EQ(result.n_components, 2);
  EXPECT_THAT(result.eigenvalues, ElementsAre(30, 10));
  EXPECT_THAT(result.explained_variance_ratio, ElementsAre(0.3, 0.1));
  EXPECT_EQ(result.converged, true);
  EXPECT_DOUBLE_EQ(*result.residual, 1e-9);
  EXPECT_EQ(result.setup_seconds, 3);
  EXPECT_EQ(result.iterate_seconds, 2);
  EXPECT_EQ(result.extra["answer_at"].dump(), "[1]");
  EXPECT_EQ(result.extra["vectors_sent"].dump(), R"({"total":24,"per_node":[7,8,9]})");
  EXPECT_EQ(result.extra["bound"], 0.5);
  EXPECT_EQ(result.extra["raw_equivalent"].dump(), "[]");
  EXPECT_THAT(result.notes, IsEmpty());
}

TEST(OneshotReport, ABoundThatSaysNothingIsNone) {
  OneshotKpcaFit fit = fit_of_three();
  fit.nodes[1]->answer->bound = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(result_of(fit).extra["bound"].is_null());
  EXPECT_THAT(oneshot_table(result_of(fit)), Not(HasSubstr("Theorem")));
  fit.nodes[1]->answer->bound.reset();
  EXPECT_TRUE(result_of(fit).extra["bound"].is_null());
}

TEST(OneshotReport, OneAnswerThatDidNotConvergeIsEnough) {
  OneshotKpcaFit fit = fit_of_three();
  fit.nodes[0]->answer = answer_of(1e-3);
  fit.nodes[0]->answer->converged = false;
  const RunResult result = result_of(fit);
  EXPECT_EQ(result.converged, false);
  EXPECT_DOUBLE_EQ(*result.residual, 1e-3);
  EXPECT_THAT(oneshot_table(result), HasSubstr("NOT converged, residual 1.0e-03"));
}

TEST(OneshotReport, SaysOnceThatNodesSentAsMuchAsTheyHave) {
  OneshotKpcaFit fit = fit_of_three();
  for (const NodeId node : {0, 2}) {
    fit.nodes[static_cast<std::size_t>(node)]->raw_equivalent = true;
    fit.nodes[static_cast<std::size_t>(node)]->notes = {"node " + std::to_string(node) + " sends 3 vectors"};
  }
  const RunResult result = result_of(fit);
  EXPECT_EQ(result.extra["raw_equivalent"].dump(), "[0,2]");
  EXPECT_THAT(result.notes, ElementsAre("node 0 sends 3 vectors; 1 other node says so with other numbers"));
}

TEST(OneshotReport, WithoutTheCentreThereIsNoAnswer) {
  OneshotKpcaFit fit = fit_of_three();
  fit.nodes[1].reset();
  EXPECT_THROW(result_of(fit), Error);
}

TEST(OneshotReport, NamesKeysThatWereLeftOutOfItsOwnNodesOnly) {
  OneshotKpcaFit fit = fit_of_three();
  fit.nodes[0]->left_out = {3, 4, 8, 9};
  fit.nodes[2]->left_out = {1};
  RunResult result = result_of(fit);
  describe_left_out(entries_of(fit), {{0, {"ada", "ben", "cleo", "dan"}}}, result);
  EXPECT_EQ(result.extra["left_out"].dump(), "[4,0,1]");
  EXPECT_THAT(
      result.notes,
      ElementsAre("4 of 54 samples of node 0 are left out, as not all nodes have their keys: \"ada\", "
                  "\"ben\", \"cleo\" and 1 more",
                  "1 of 51 samples of node 2 is left out, as not all nodes have its key"));
}

TEST(OneshotReport, TheTableSaysWhoHasTheAnswerAndHowGoodItIs) {
  OneshotKpcaFit fit = fit_of_three();
  RunResult result = result_of(fit);
  EXPECT_THAT(oneshot_table(result),
              HasSubstr("vectors of a node: 7 to 9, 24 together; node 1 has the answer"));
  EXPECT_THAT(oneshot_table(result), HasSubstr("Theorem 1: ||sin Theta|| is at most 0.5\nconverged"));
  EXPECT_THAT(oneshot_table(result), Not(HasSubstr("in one place")));
  result.quality_numbers["subspace_error"] = 0.0123;
  EXPECT_THAT(oneshot_table(result), HasSubstr("in one place: subspace error 1.23e-02"));
  fit.nodes[0]->answer = fit.nodes[2]->answer = fit.nodes[1]->answer;
  EXPECT_THAT(oneshot_table(result_of(fit)), HasSubstr("every node has the answer"));
  fit.nodes[0]->answer->bound = 1.5;
  EXPECT_THAT(oneshot_table(result_of(fit)), HasSubstr("at most 1.5, which says nothing here"));
}

}  // namespace
}  // namespace choir::cli
