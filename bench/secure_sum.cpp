// What masks cost a sum along a tree: 100 nodes, 400 x 400 numbers below 1 each, against the same sum in
// clear; time and bytes of a sum, and what keys cost once.
//
//   secure_sum [NODES [SIDE [THREADS]]]
#include "choir/runtime/blocks/secure_sum/secure_sum.h"

#include <cstdio>
#include <cstdlib>

#include "choir/base/stopwatch.h"
#include "choir/graph/topology.h"
#include "choir/runtime/blocks/secure_sum/partners.h"
#include "choir/runtime/blocks/tree_sum.h"
#include "choir/runtime/engines.h"

namespace {

using namespace choir;

struct Cost {
  double seconds = 0;
  double bytes = 0;  // per node
};

struct Network {
  Index nodes;
  Index side;
  int threads;
};

enum class How { plain, masked };

Task<double> sums(Node& node, Index side, How how, int count) {
  double check = 0;
  if (how == How::masked) co_await open_secure_sums(node);
  for (int i = 0; i < count; ++i) {
    Matrix mine = Matrix::Constant(side, side, 1.0 / (2.0 + node.id()));
    std::optional<Matrix> total;
    if (how == How::plain) {
      total = co_await sum_at_root(node, node.tree(), std::move(mine));
    } else {
      total = co_await secure_sum_at_root(node, std::move(mine), 1);
    }
    if (total) check += (*total)(0, 0);
  }
  co_return check;
}

Cost cost_of(const Network& network, How how, int count) {
  const auto engine = make_engine("local", {.threads = network.threads});
  const Graph graph = make_topology("tree:2", network.nodes, 0);
  const Contract contract{.method = "sums",
                          .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  const Stopwatch watch;
  const auto outcome = run_nodes<double>(*engine, graph, contract, {},
                                         [&](Node& node) { return sums(node, network.side, how, count); });
  return {
      .seconds = watch.seconds(),
      .bytes = static_cast<double>(outcome.report.ledger.total().bytes) / static_cast<double>(network.nodes)};
}

// Of one sum among several, without what comes before.
Cost cost_of_a_sum(const Network& network, How how) {
  constexpr int count = 5;
  const Cost none = cost_of(network, how, 0);
  const Cost some = cost_of(network, how, count);
  return {.seconds = (some.seconds - none.seconds) / count, .bytes = (some.bytes - none.bytes) / count};
}

}  // namespace

int main(int argc, char** argv) {
  const Network network{.nodes = argc > 1 ? std::atol(argv[1]) : 100,
                        .side = argc > 2 ? std::atol(argv[2]) : 400,
                        .threads = argc > 3 ? std::atoi(argv[3]) : 0};
  const Cost plain = cost_of_a_sum(network, How::plain);
  const Cost masked = cost_of_a_sum(network, How::masked);
  const Cost opening = cost_of(network, How::masked, 0);
  std::printf("%ld nodes, %ld x %ld: plain %.3f s, masked %.3f s: %.1f times; bytes %.3f times\n",
              static_cast<long>(network.nodes), static_cast<long>(network.side),
              static_cast<long>(network.side), plain.seconds, masked.seconds, masked.seconds / plain.seconds,
              masked.bytes / plain.bytes);
  std::printf(
      "masks of %ld partners: %.1f ms of a node; keys, once: %.3f s for all nodes, %.1f KiB per node\n",
      static_cast<long>(partner_count(network.nodes)),
      1e3 * (masked.seconds - plain.seconds) / static_cast<double>(network.nodes), opening.seconds,
      opening.bytes / 1024);
  return 0;
}
