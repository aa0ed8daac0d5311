#include "choir/runtime/blocks/average.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "choir/base/error.h"
#include "choir/runtime/blocks/metropolis_mix.h"
#include "choir/runtime/blocks/stop.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

constexpr Index shortest_batch = 10;

struct Iterate {
  Matrix now;
  Matrix before;
  Index rounds = 0;
  double difference = 0;  // largest from a neighbour one round ago, relative to the largest entry
};

void validate(const Node& node, const Matrix& mine, const AverageOptions& options) {
  if (!(options.tol >= 0)) {
    fail(ErrorCategory::InvalidArgument, "the average's tol is {}; it must be 0 or more", options.tol);
  }
  if (options.max_rounds < 0) {
    fail(ErrorCategory::InvalidArgument, "the average's max_rounds is {}; it must be 0 or more",
         options.max_rounds);
  }
  if (options.mixing && !(*options.mixing >= 0 && *options.mixing < 1)) {
    fail(ErrorCategory::InvalidArgument, "the average's mixing is {}; it must be at least 0 and less than 1",
         *options.mixing);
  }
  if (!mine.allFinite()) {
    fail(ErrorCategory::InvalidArgument, "node {} has a value to average that is not a finite number",
         node.id());
  }
}

double relative(double difference, double scale) { return scale > 0 ? difference / scale : difference; }

double largest_difference(const Matrix& x, const Inbox& inbox) {
  if (x.size() == 0) return 0;
  double difference = 0;
  for (const Received& other : inbox) {
    difference = std::max(difference, (other.message.array(0).matrix() - x).cwiseAbs().maxCoeff());
  }
  return relative(difference, x.cwiseAbs().maxCoeff());
}

void step(const Node& node, const MetropolisMix& mix, double omega, const Inbox& inbox, Iterate& x) {
  Matrix next = mix.apply(node, x.now, inbox);
  x.difference = largest_difference(x.now, inbox);
  if (x.rounds > 0) next = (1 + omega) * next - omega * x.before;
  x.before = std::exchange(x.now, std::move(next));
  ++x.rounds;
}

Task<void> run_rounds(Node& node, const MetropolisMix& mix, double omega, Iterate& x, Index rounds) {
  for (Index round = 0; round < rounds; ++round) {
    Message mine(Kind::own_statistics);
    mine.array(Array(x.now));
    const Inbox inbox = co_await node.exchange(mine, node.deadline());
    step(node, mix, omega, inbox, x);
  }
}

// max - min over nodes, of the entry where that is largest, relative to the largest entry.
Task<double> agree_on_spread(Node& node, const Matrix& x) {
  if (x.size() == 0) co_return 0.0;
  Matrix both_signs(2 * x.rows(), x.cols());
  both_signs << x, -x;
  const Matrix largest = co_await tree_max(node, node.tree(), both_signs);
  const Matrix range = largest.topRows(x.rows()) + largest.bottomRows(x.rows());
  co_return relative(range.maxCoeff(), largest.maxCoeff());
}

Index predicted_rounds(const AverageOptions& options, double rate) {
  if (options.tol == 0) return options.max_rounds;
  const double rounds = std::ceil(std::log(std::min(options.tol, 0.5)) / std::log(rate));
  return static_cast<Index>(std::clamp(rounds, 1.0, static_cast<double>(options.max_rounds)));
}

Task<void> average_along_tree(Node& node, const MetropolisMix& mix, double omega, AverageOptions options,
                              Iterate& x, Average& result) {
  const Index predicted = predicted_rounds(options, asymptotic_rate(result.mixing, options.accelerated));
  Index batch = predicted;
  while (true) {
    co_await run_rounds(node, mix, omega, x, std::min(batch, options.max_rounds - x.rounds));
    result.spread = co_await agree_on_spread(node, x.now);
    result.converged = result.spread <= options.tol;
    if (result.converged || x.rounds == options.max_rounds) co_return;
    batch = std::max(shortest_batch, predicted / 10);
  }
}

Task<void> average_by_agreement(Node& node, const MetropolisMix& mix, double omega, AverageOptions options,
                                Iterate& x, Average& result) {
  const Index nodes = node.network_size();
  StopAgreement stop(nodes);
  while (x.rounds < options.max_rounds && !stop.reached(x.rounds)) {
    Message mine(Kind::own_statistics);
    mine.array(Array(x.now)).integer(stop.words().counter).integer(stop.words().stop_at);
    const Inbox inbox = co_await node.exchange(mine, node.deadline());
    std::vector<StopWords> words;
    for (const Received& other : inbox) {
      words.push_back({.counter = other.message.integer(0), .stop_at = other.message.integer(1)});
    }
    const Index t = x.rounds;
    step(node, mix, omega, inbox, x);
    stop.advance(t, options.tol > 0 && x.difference <= options.tol / static_cast<double>(nodes), words);
  }
  result.spread = x.difference;
  result.converged = stop.reached(x.rounds);
}

Task<double> find_mixing(Node& node, AverageOptions options) {
  if (options.mixing) co_return *options.mixing;
  if (options.source == MixingSource::safe_bound) co_return safe_mixing_bound(node.network_size());
  // Waves must cross the network to feel its slowest mode; the root's work grows with the rounds' third
  // power.
  const Index rounds = std::clamp<Index>(node.tree().height, 20, 500);
  const double estimate = co_await estimate_mixing(node, rounds);
  co_return estimate;
}

}  // namespace

double acceleration(double mixing) {
  const double root = mixing / (1 + std::sqrt(1 - mixing * mixing));
  return root * root;
}

double metropolis_weight(Index own_degree, Index other_degree) {
  return 1 / (1 + static_cast<double>(std::max(own_degree, other_degree)));
}

double asymptotic_rate(double mixing, bool accelerated) {
  return accelerated ? std::sqrt(acceleration(mixing)) : mixing;
}

double safe_mixing_bound(Index nodes) {
  const auto count = static_cast<double>(nodes);
  return 1 - 1 / (71 * count * count);
}

Task<Average> average(Node& node, Matrix mine, AverageOptions options) {
  validate(node, mine, options);
  const MetropolisMix mix = co_await learn_metropolis_mix(node);
  Average result;
  result.mixing = co_await find_mixing(node, options);
  const double omega = options.accelerated ? acceleration(result.mixing) : 0;
  Iterate x;
  x.now = std::move(mine);
  if (node.lost_peers() == LostPeers::fail) {
    co_await average_along_tree(node, mix, omega, options, x, result);
  } else {
    co_await average_by_agreement(node, mix, omega, options, x, result);
  }
  result.mean = std::move(x.now);
  result.rounds = x.rounds;
  co_return result;
}

}  // namespace choir
