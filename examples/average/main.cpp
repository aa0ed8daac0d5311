// Twenty thermometers on a ring: each ends with the mean of all, talking only to its four neighbours.
#include <cstdio>
#include <vector>

#include <choir/choir.h>

using namespace choir;

Task<double> average(Node& node, double value) {
  for (int round = 0; round < 200; ++round) {
    Message mine(Kind::own_statistics);
    mine.number(value);
    const Inbox inbox = co_await node.exchange(mine, node.deadline());
    double change = 0;
    for (const Received& other : inbox) change += (other.message.number(0) - value) / 5;
    value += change;
  }
  co_return value;
}

int main(int argc, char** argv) try {
  const auto engine = make_engine(argc > 1 ? argv[1] : "local");
  const Graph ring = make_topology("ring:4", 20, 0);
  const Contract contract{.method = "average", .kinds = {Kind::own_statistics}};
  const auto outcome = run_nodes<double>(*engine, ring, contract, {}, [](Node& node) {
    return average(node, 10 + node.id());  // what this node measured
  });

  std::vector<double> own;  // the results of the nodes in this process
  for (const auto& mean : outcome.results) {
    if (mean) own.push_back(*mean);
  }
  ProcessGroup processes(*engine);
  const auto parts = processes.tell_all(Kind::summaries, own);
  if (!processes.speaks()) return 0;
  for (const auto& part : parts) {
    for (const double mean : part) std::printf("%f ", mean);
  }
  const Traffic sent = outcome.report.ledger.total(Kind::own_statistics);
  std::printf("\n%d messages, %d bytes\n", static_cast<int>(sent.messages), static_cast<int>(sent.bytes));
} catch (const Error& error) {
  std::fprintf(stderr, "average: %s\n", error.what());
  return 1;
}
