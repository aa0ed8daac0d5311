#include "choir/experiment/online_kernel/quality.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "choir/learn/online_kernel/losses.h"
#include "choir/linalg/blas.h"

namespace choir {
namespace {

Matrix scores_of(const online_kernel::State& node, const TargetedSamples& samples) {
  const SingleThreadedBlas scope;
  const Matrix scores = evaluate(node.kernel, node.f, samples.samples) * node.target.scale;
  return scores.array() + node.target.centre;
}

// `worse` of two values is the one that counts as the worst.
OverNodes over(const std::vector<online_kernel::State>& nodes,
               const std::function<double(const online_kernel::State&)>& value,
               const std::function<bool(double, double)>& worse) {
  OverNodes all{.mean = 0, .worst = value(nodes.front())};
  for (const online_kernel::State& node : nodes) {
    const double one = value(node);
    all.mean += one / static_cast<double>(nodes.size());
    if (worse(one, all.worst)) all.worst = one;
  }
  return all;
}

}  // namespace

std::vector<online_kernel::State> states_of(const online_kernel::Fit& fit) {
  std::vector<online_kernel::State> states;
  for (const auto& node : fit.nodes) states.push_back(node->state);
  return states;
}

OverNodes accuracy(const std::vector<online_kernel::State>& nodes, const TargetedSamples& test) {
  const auto right = [&](const online_kernel::State& node) {
    return 1 - online_kernel::share_of_mistakes(scores_of(node, test), test.targets);
  };
  return over(nodes, right, std::less<>());
}

OverNodes rmse(const std::vector<online_kernel::State>& nodes, const TargetedSamples& test) {
  const auto error = [&](const online_kernel::State& node) {
    return (scores_of(node, test) - test.targets).norm() /
           std::sqrt(static_cast<double>(test.targets.size()));
  };
  return over(nodes, error, std::greater<>());
}

double objective(const std::vector<online_kernel::State>& nodes, const TargetedSamples& samples,
                 double lambda) {
  double sum = 0;
  for (const online_kernel::State& node : nodes) {
    const double squared_norm = (node.f.weights.array() * (node.f.gram * node.f.weights).array()).sum();
    sum += loss_gradient(online_kernel::Loss::logistic, scores_of(node, samples), samples.targets).mean +
           lambda / 2 * squared_norm;
  }
  return sum;
}

double disagreement(const std::vector<online_kernel::State>& nodes, const Graph& graph) {
  double sum = 0;
  for (const Edge& edge : graph.edge_list()) {
    const online_kernel::State& one = nodes[static_cast<std::size_t>(edge.a)];
    sum += squared_distance(one.kernel, one.f, nodes[static_cast<std::size_t>(edge.b)].f);
  }
  return sum;
}

OverNodes model_order(const std::vector<online_kernel::State>& nodes) {
  return over(
      nodes, [](const online_kernel::State& node) { return static_cast<double>(node.f.size()); },
      std::greater<>());
}

double largest_score(const std::vector<online_kernel::State>& nodes, const TargetedSamples& samples) {
  return over(
             nodes,
             [&](const online_kernel::State& node) { return scores_of(node, samples).cwiseAbs().maxCoeff(); },
             std::greater<>())
      .worst;
}

}  // namespace choir
