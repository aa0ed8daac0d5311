// Every form of consensus against a dense reference: functions as vectors over all samples that exist, no
// dictionaries, no messages.
#include <cmath>

#include "learn/online_kernel/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"

namespace choir::online_kernel {
namespace {

constexpr Index nodes = 3, batch = 4, rounds = 5;
constexpr double gamma_value = 3, eta = 0.8, lambda = 0.01;

// All nodes' functions over all samples: f_i = sum_n W_i(n, :) k(x_n, .).
struct Dense {
  Samples samples;  // node by node, as they come
  Vector targets;
  Matrix gram;
  std::vector<Matrix> weights;

  explicit Dense(const std::vector<TargetedSamples>& data) {
    const Index each = data.front().samples.cols();
    samples.resize(2, nodes * each);
    targets.resize(nodes * each);
    for (Index i = 0; i < nodes; ++i) {
      samples.middleCols(i * each, each) = data[static_cast<std::size_t>(i)].samples;
      targets.segment(i * each, each) = data[static_cast<std::size_t>(i)].targets;
    }
    gram.resize(samples.cols(), samples.cols());
    for (Index a = 0; a < samples.cols(); ++a) {
      for (Index b = 0; b < samples.cols(); ++b) {
        gram(a, b) = std::exp(-gamma_value * (samples.col(a) - samples.col(b)).squaredNorm());
      }
    }
    weights.assign(nodes, Matrix::Zero(samples.cols(), Mixtures::classes));
  }

  using Mixtures = testing::Mixtures;
  Index first(Index node, Index round) const { return node * samples.cols() / nodes + round * batch; }
  // f_i at the batch of node j.
  Matrix at(Index i, Index j, Index round) const {
    return gram.middleRows(first(j, round), batch) * weights[static_cast<std::size_t>(i)];
  }
  Matrix softmax_gradient(Index i, Index round) const {
    Matrix gradient = at(i, i, round).array().exp();
    for (Index b = 0; b < batch; ++b) {
      gradient.row(b) /= gradient.row(b).sum();
      gradient(b, static_cast<Index>(targets(first(i, round) + b))) -= 1;
    }
    return gradient;
  }
};

double metropolis(const Graph& graph, NodeId i, NodeId j) {
  return 1.0 / (1 + static_cast<double>(std::max(graph.degree(i), graph.degree(j))));
}

void dense_round(Dense& all, const Graph& graph, Consensus consensus, double c, Index round) {
  std::vector<Matrix> next;
  for (NodeId i = 0; i < nodes; ++i) {
    Matrix mine = all.weights[static_cast<std::size_t>(i)];
    if (consensus == Consensus::diffusion) {
      for (const NodeId j : graph.neighbors(i)) {
        mine += metropolis(graph, i, j) *
                (all.weights[static_cast<std::size_t>(j)] - all.weights[static_cast<std::size_t>(i)]);
      }
    }
    mine *= 1 - eta * lambda;
    Matrix gradient = all.softmax_gradient(i, round);
    const bool penalized = consensus == Consensus::penalty || consensus == Consensus::symmetric;
    for (const NodeId j : graph.neighbors(i)) {
      if (penalized) gradient += c * (all.at(i, i, round) - all.at(j, i, round));
      if (consensus != Consensus::symmetric) continue;
      mine.middleRows(all.first(j, round), batch) -=
          eta / batch * c * (all.at(i, j, round) - all.at(j, j, round));
    }
    mine.middleRows(all.first(i, round), batch) -= eta / batch * gradient;
    next.push_back(mine);
  }
  all.weights = next;
}

class ConsensusForms : public ::testing::TestWithParam<Consensus> {};

TEST_P(ConsensusForms, TakesTheStepsOfTheEquations) {
  std::vector<TargetedSamples> distinct;  // no sample twice, as in the reference
  for (Index i = 0; i < nodes; ++i) {
    distinct.push_back(testing::Mixtures(3).draw(batch * rounds, static_cast<std::uint64_t>(10 + i)));
  }
  Options options = testing::mixture_options(GetParam());
  options.gamma = {.rule = GammaRule::number, .value = gamma_value};
  options.eta = eta;
  options.alpha = lambda;
  options.batch = batch;
  options.epsilon = 0;
  options.penalty = 0.05;
  options.penalty_doubling = 2 * batch;
  const Graph graph = make_topology("line", nodes, 0);

  Dense all(distinct);
  Hooks hooks;
  std::vector<std::vector<Matrix>> seen(nodes);  // scores at all samples, round by round
  hooks.after_round = [&](const Round& round, const State& state) {
    seen[static_cast<std::size_t>(round.node)].push_back(evaluate(state.kernel, state.f, all.samples));
  };
  testing::simulate(distinct, options, "line", hooks);
  const std::vector<double> penalties = {0.05, 0.05, 0.1, 0.1, 0.2};
  for (Index round = 0; round < rounds; ++round) {
    dense_round(all, graph, GetParam(), penalties[static_cast<std::size_t>(round)], round);
    for (std::size_t i = 0; i < nodes; ++i) {
      const Matrix truth = all.gram * all.weights[i];
      const Matrix& scores = seen[i][static_cast<std::size_t>(round)];
      // Samples that others explain to 1e-6 are not appended: that much is lost.
      EXPECT_LT((scores - truth).cwiseAbs().maxCoeff(), 1e-5) << "node " << i << " round " << round;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ConsensusForms,
                         ::testing::Values(Consensus::diffusion, Consensus::symmetric, Consensus::penalty,
                                           Consensus::none),
                         [](const auto& form) { return std::string(to_string(form.param)); });

}  // namespace
}  // namespace choir::online_kernel
