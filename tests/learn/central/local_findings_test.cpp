#include "choir/learn/central/local_findings.h"

#include <gtest/gtest.h>

#include "choir/runtime/statement.h"

namespace choir::local_kpca {
namespace {

NodeFindings findings(double first_eigenvalue, double residual, bool converged) {
  return {.residual = residual,
          .converged = converged,
          .eigenvalues = Vector{{first_eigenvalue, 1.0}},
          .explained_variance_ratio = Vector{{0.1 * first_eigenvalue, 0.1}}};
}

TEST(LocalFindings, AreMeansOverNodesAndTheWorstResidual) {
  const Findings all = summarise({findings(2, 1e-9, true), findings(4, 1e-3, true)});
  EXPECT_DOUBLE_EQ(all.eigenvalues(0), 3);
  EXPECT_DOUBLE_EQ(all.explained_variance_ratio(0), 0.3);
  EXPECT_EQ(all.residual, 1e-3);
  EXPECT_TRUE(all.converged);
  EXPECT_FALSE(summarise({findings(2, 1e-9, true), findings(4, 1e-3, false)}).converged);
}

TEST(LocalFindings, SayWhatANodeFitted) {
  NodeResult result;
  result.model.training_samples = 30;
  result.model.eigenvalues = Vector{{3.0}};
  result.model.trace = 6;
  result.model.kernel.gamma = 0.25;
  result.residual = 1e-10;
  result.note = "a sentence";
  const auto heard = read_statement<NodeFindings>(statement(Kind::summaries, findings_of(4, result)));
  EXPECT_EQ(heard.node, 4);
  EXPECT_EQ(heard.samples, 30);
  EXPECT_DOUBLE_EQ(heard.explained_variance_ratio(0), 0.5);
  EXPECT_EQ(heard.gamma, 0.25);
  EXPECT_EQ(heard.note, "a sentence");
}

}  // namespace
}  // namespace choir::local_kpca
