// An engine runs one program on every node of a network, to the end, and says what it cost.
//
//   const auto engine = make_engine("local");
//   const auto outcome = run_nodes<double>(*engine, graph, contract, options,
//                                          [&](Node& node) { return average(node, values[node.id()]); });
//   outcome.results[3];                               // nothing: crashed, or in another process
//   outcome.report.ledger.total(Kind::own_statistics);
//
// The engines are in sim/, local/ and mpi/; engines.h makes one by its name.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "choir/graph/graph.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/faults.h"
#include "choir/runtime/ledger.h"
#include "choir/runtime/message.h"
#include "choir/runtime/node.h"

namespace choir {

struct RunReport {
  Ledger ledger;                                   // of all nodes, in every process
  Duration elapsed{};                              // on the engine's clock: virtual in the simulator
  std::uint64_t rounds = 0;                        // most synchronous rounds of any node
  std::vector<PeerLoss> losses = {};               // by node, then by round
  std::vector<NodeId> crashed = {};                // ascending; the simulator's doing
  std::vector<NodeEvent> node_events = {};         // by time, then by node; the simulator's doing
  std::vector<MessageFaults> message_faults = {};  // J; empty: the engine does not know, or loses none
  std::uint64_t stale_messages = 0;                // of synchronous rounds; dropped
  std::uint64_t duplicate_messages = 0;
};

// The nodes first <= j < last.
struct NodeRange {
  NodeId first = 0;
  NodeId last = 0;
  Index size() const { return last - first; }
  bool has(NodeId node) const { return node >= first && node < last; }
  friend bool operator==(const NodeRange&, const NodeRange&) = default;
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::string_view name() const = 0;

  // Runs the program on every node. The graph must be connected. Throws what the program of the lowest
  // failing round threw; Error(PeerLost) if nodes wait for what will never come; Error(OutOfMemory) if the
  // contract's memory does not fit; Error(Cancelled) if options.watch.stop asks for it.
  virtual RunReport run(const Graph& graph, const Contract& contract, const Program& program,
                        const RunOptions& options) = 0;

  // The nodes that this process runs: it alone needs their shards.
  virtual NodeRange own_nodes(Index nodes) const { return {0, static_cast<NodeId>(nodes)}; }
  // Whether this process speaks for all.
  virtual bool is_speaker() const { return true; }
  // The processes that run this engine together, and which of them this one is.
  virtual Index processes() const { return 1; }
  virtual Index process() const { return 0; }
  // From every process to every other: one message each, in the order of the processes. All processes must
  // call it. ProcessGroup counts what is said this way, and holds it to a contract.
  virtual std::vector<Message> tell_all(const Message& mine) { return {mine}; }
  // What this process has told others that way, by kind; kept by ProcessGroup.
  std::map<Kind, Traffic>& told() { return told_; }

 private:
  std::map<Kind, Traffic> told_;
};

template <class T>
struct Outcome {
  std::vector<std::optional<T>> results;  // J; nothing: crashed, or in another process
  RunReport report;
};

namespace detail {

template <class T>
Task<void> store(Task<T> program, std::optional<T>* result) {
  *result = co_await program;
}

}  // namespace detail

template <class T, class MakeTask>
Outcome<T> run_nodes(Engine& engine, const Graph& graph, const Contract& contract, const RunOptions& options,
                     MakeTask&& make_task) {
  Outcome<T> outcome;
  outcome.results.resize(static_cast<std::size_t>(graph.nodes()));
  const Program program = [&](Node& node) {
    return detail::store<T>(make_task(node), &outcome.results[static_cast<std::size_t>(node.id())]);
  };
  outcome.report = engine.run(graph, contract, program, options);
  return outcome;
}

}  // namespace choir
