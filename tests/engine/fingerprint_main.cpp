// Prints the bits of a synchronous run, results and ledger, in one line: identical_test.py compares it over
// engines, threads and ranks.
#include <cstdio>
#include <string>

#include "engine/programs.h"
#include <fmt/format.h>

#include "choir/graph/topology.h"
#include "choir/runtime/engines.h"
#include "choir/runtime/process_group.h"

int main(int argc, char** argv) {
  using namespace choir;
  if (argc != 3) {
    std::fprintf(stderr, "usage: engine_fingerprint ENGINE THREADS\n");
    return 2;
  }
  const std::unique_ptr<Engine> engine = make_engine(argv[1], {.threads = std::stoi(argv[2])});
  const Contract contract{.method = "mixture",
                          .kinds = {Kind::coefficients, Kind::own_statistics, Kind::totals, Kind::control}};
  const Graph graph = make_topology("erdos:0.15", 40, 5);
  const auto outcome = run_nodes<Vector>(*engine, graph, contract, {.seed = 11},
                                         [](Node& node) { return synchronous_mixture(node, 12); });
  std::string own;
  for (const auto& result : outcome.results) {
    if (result) own += fmt::format("{:016x}", fingerprint(1, result->data(), sizeof(double) * 5));
  }
  std::string all;
  for (const std::string& part : ProcessGroup(*engine).tell_all(Kind::summaries, own)) all += part;
  const auto& entries = outcome.report.ledger.entries();
  const std::uint64_t ledger = fingerprint(2, entries.data(), entries.size() * sizeof(Traffic));
  const Traffic total = outcome.report.ledger.total();
  if (engine->is_speaker()) {
    std::printf("results %s ledger %016lx messages %lu bytes %lu\n", all.c_str(), ledger, total.messages,
                total.bytes);
  }
  return 0;
}
