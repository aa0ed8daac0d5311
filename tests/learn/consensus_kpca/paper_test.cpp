// The iteration in eigenbasis form against a dense transcription of the paper's equations 10 to 13.
#include <map>

#include "learn/consensus_kpca/digits.h"
#include <gtest/gtest.h>

#include "choir/graph/traversal.h"
#include "choir/kernel/centring.h"
#include "choir/kernel/gram.h"
#include "choir/linalg/eigen.h"

namespace choir::consensus_kpca {
namespace {

using testing_digits::Digits;

Matrix pseudo_inverse(const Matrix& matrix, double cutoff) {
  const EigenPairs pairs = eigen_symmetric<double>((matrix + matrix.transpose()) / 2);
  const double largest = pairs.values.cwiseAbs().maxCoeff();
  const Vector inverses = pairs.values.unaryExpr(
      [&](double value) { return std::abs(value) > cutoff * largest ? 1 / value : 0.0; });
  return pairs.vectors * inverses.asDiagonal() * pairs.vectors.transpose();
}

// Everything in coefficients over samples: w_j = Phi_j alpha_j, multipliers Phi_j theta_jl, projections
// P_j z_l = Phi_j pi_jl. No basis, no network.
struct DensePaper {
  std::vector<std::vector<NodeId>> around;             // the node itself first
  std::map<std::pair<NodeId, NodeId>, Matrix> kernel;  // H_i K_il H_l
  std::vector<Matrix> inverse;                         // K_j^+
  std::vector<Vector> alpha;
  std::map<std::pair<NodeId, NodeId>, Vector> theta, pi;
  double rho;

  DensePaper(const Digits& digits, double penalty) : rho(penalty) {
    const auto nodes = static_cast<NodeId>(digits.shards.size());
    const Kernel rbf{.gamma = 2e-7};
    for (NodeId i = 0; i < nodes; ++i) {
      around.push_back({i});
      for (const NodeId l : digits.graph.neighbors(i)) around.back().push_back(l);
      for (NodeId l = 0; l < nodes; ++l) {
        Matrix block = gram<double>(rbf, digits.shards[static_cast<std::size_t>(i)],
                                    digits.shards[static_cast<std::size_t>(l)]);
        centre_block(block);
        kernel[{i, l}] = block;
      }
      inverse.push_back(pseudo_inverse(kernel[{i, i}], 1e-8));
      const EigenPairs pairs = eigen_symmetric<double>(kernel[{i, i}]);
      alpha.push_back(pairs.vectors.col(0) / std::sqrt(pairs.values(0)));
    }
    agree_on_signs(digits.graph);
    for (NodeId j = 0; j < nodes; ++j) {
      for (const NodeId l : around[static_cast<std::size_t>(j)])
        theta[{j, l}] = Vector::Zero(alpha[0].size());
    }
  }

  void agree_on_signs(const Graph& graph) {
    BreadthFirstSearch search(graph);
    search.run(0);
    for (const NodeId j : search.order()) {
      const NodeId parent = search.parents()[static_cast<std::size_t>(j)];
      Vector& own = alpha[static_cast<std::size_t>(j)];
      if (own.dot(kernel[{j, parent}] * alpha[static_cast<std::size_t>(parent)]) < 0) own = -own;
    }
  }

  void iterate() {
    const auto nodes = static_cast<NodeId>(alpha.size());
    for (NodeId j = 0; j < nodes; ++j) {  // eqs. 10 and 11
      const auto& omega = around[static_cast<std::size_t>(j)];
      const auto o = static_cast<double>(omega.size());
      std::vector<Vector> c;
      for (const NodeId l : omega)
        c.push_back((alpha[static_cast<std::size_t>(l)] + theta[{l, j}] / rho) / o);
      double squared = 0;
      std::vector<Vector> y;
      for (std::size_t a = 0; a < omega.size(); ++a) {
        Vector sum = Vector::Zero(c[a].size());
        for (std::size_t b = 0; b < omega.size(); ++b) sum += kernel[{omega[a], omega[b]}] * c[b];
        squared += c[a].dot(sum);
        y.push_back(sum);
      }
      const double scale = 1 / std::max(1.0, std::sqrt(squared));
      for (std::size_t a = 0; a < omega.size(); ++a) {
        pi[{omega[a], j}] = inverse[static_cast<std::size_t>(omega[a])] * y[a] * scale;
      }
    }
    for (NodeId j = 0; j < nodes; ++j) {  // eqs. 12 and 13
      const auto& omega = around[static_cast<std::size_t>(j)];
      const Matrix& own = kernel[{j, j}];
      const Matrix left = static_cast<double>(omega.size()) * rho * own - 2 * own * own;
      Vector right = Vector::Zero(own.rows());
      for (const NodeId l : omega) right += own * (rho * pi[{j, l}] - theta[{j, l}]);
      Vector& next = alpha[static_cast<std::size_t>(j)];
      next = pseudo_inverse(left, 1e-9) * right;
      for (const NodeId l : omega) theta[{j, l}] += rho * (next - pi[{j, l}]);
    }
  }
};

TEST(ConsensusKpcaPaper, IsADenseTranscriptionOfEquations10To13) {
  constexpr double rho = 60;
  const Digits digits(6, 40, 4, "ring:2");
  DensePaper dense(digits, rho);
  for (int t = 0; t < 8; ++t) dense.iterate();

  Options options = testing_digits::fixed_length(1, 8);
  options.z_step = ZStep::paper;
  options.start = Init::local;
  options.centering = Centering::local;
  options.guard = 0;
  options.rho = {.rule = Penalty::Rule::number, .value = rho};
  const Fit fit = testing_digits::fit(digits, options);
  for (NodeId j = 0; j < 6; ++j) {
    const Matrix& own = dense.kernel[{j, j}];
    const Vector expected = own * dense.alpha[static_cast<std::size_t>(j)];
    const Vector got = own * fit.at(j).own_coefficients.col(0);
    // The last step, Rayleigh-Ritz of one column, may turn all nodes around together.
    const double sign =
        fit.at(0).own_coefficients.col(0).dot(dense.kernel[{0, 0}] * dense.alpha[0]) < 0 ? -1 : 1;
    EXPECT_LE((sign * got - expected).norm() / expected.norm(), 1e-8) << "node " << j;
  }
}

// Published faults of the printed method, so that it stays what it is: kept for reproduction.
TEST(ConsensusKpcaPaper, ThePrintedScheduleComesCloseAndTheUnbiasedStepCloser) {
  const Digits digits(20, 90);
  const central_kpca::Fit central = digits.central(1);
  Options options = testing_digits::fixed_length(1, 12);
  options.centering = Centering::local;
  options.start = Init::local;
  options.z_step = ZStep::paper;
  options.rho = {.rule = Penalty::Rule::schedule};
  const auto gap = [&] {
    const Quality quality =
        measure_quality(testing_digits::fit(digits, options), digits.graph, digits.shards, central);
    return (quality.yardsticks.oracle - quality.similarity_own).mean();
  };
  const double printed = gap();
  EXPECT_LE(printed, 0.008);
  EXPECT_GE(printed, 0.0005);
  options.z_step = ZStep::unbiased;
  options.start = Init::gather;
  options.rho = {};
  options.guard = 5;
  EXPECT_LE(gap(), 0.5 * printed);
}

}  // namespace
}  // namespace choir::consensus_kpca
