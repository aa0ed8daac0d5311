// What an engine costs: synchronous rounds of one number a message on ring:4.
//
//   engine_rounds ENGINE NODES ROUNDS [WORK_US [THREADS]]       work: busy time of a node and round
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "choir/base/memory.h"
#include "choir/base/stopwatch.h"
#include "choir/graph/topology.h"
#include "choir/runtime/engines.h"

namespace {

using namespace choir;

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// CPU time, not wall time: work must not shrink when processes share a core.
void work(double seconds) {
  const double begin = thread_seconds();
  while (thread_seconds() - begin < seconds) {
  }
}

Task<double> rounds_of(Node& node, int rounds, double work_seconds) {
  double value = node.id();
  for (int round = 0; round < rounds; ++round) {
    if (work_seconds > 0) work(work_seconds);
    Message mine(Kind::own_statistics);
    mine.number(value);
    const Inbox inbox = co_await node.exchange(mine, node.deadline());
    double sum = value;
    for (const Received& other : inbox) sum += other.message.number(0);
    value = sum / static_cast<double>(inbox.size() + 1);
  }
  co_return value;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: engine_rounds ENGINE NODES ROUNDS [WORK_US [THREADS]]\n");
    return 2;
  }
  const double work_seconds = argc > 4 ? 1e-6 * std::atof(argv[4]) : 0;
  const auto engine = make_engine(argv[1], {.threads = argc > 5 ? std::atoi(argv[5]) : 0});
  const Graph graph = make_topology("ring:4", std::atol(argv[2]), 0);
  const Contract contract{.method = "rounds", .kinds = {Kind::own_statistics}};
  const Stopwatch watch;
  const double cpu = cpu_seconds();
  const auto outcome = run_nodes<double>(*engine, graph, contract, {}, [&](Node& node) {
    return rounds_of(node, std::atoi(argv[3]), work_seconds);
  });
  const double seconds = watch.seconds();
  const double spent = cpu_seconds() - cpu;
  if (!engine->is_speaker()) return 0;
  const auto messages = static_cast<double>(outcome.report.ledger.total().messages);
  std::printf(
      "%-5s %7s nodes %4s rounds: %7.3f s, %6.2f M messages/s, %6.3f us CPU/message, peak %4.0f MiB\n",
      argv[1], argv[2], argv[3], seconds, messages / seconds / 1e6, spent / messages * 1e6,
      static_cast<double>(peak_memory()) / 1048576);
  return 0;
}
