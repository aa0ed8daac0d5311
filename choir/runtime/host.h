// What the nodes of one run share, and what they ask of the engine that runs them. For engines.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <vector>

#include "choir/graph/graph.h"
#include "choir/graph/traversal.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/faults.h"
#include "choir/runtime/identity.h"
#include "choir/runtime/ledger.h"
#include "choir/runtime/mailbox.h"

namespace choir {

// One direction of a link.
struct Link {
  NodeId from = 0;
  NodeId to = 0;
  Index position_at_sender = 0;    // of `to` among the neighbours of `from`
  Index position_at_receiver = 0;  // of `from` among the neighbours of `to`
};

// Both positions of every link, in O(1).
class LinkTable {
 public:
  explicit LinkTable(const Graph& graph);
  Link link(NodeId from, Index position) const;
  Link link_between(NodeId from, NodeId to) const;  // they must be linked; O(log degree)

 private:
  const Graph* graph_;
  std::vector<std::int32_t> back_;  // beside the graph's lists
};

// The engine, as a node sees it.
class Host {
 public:
  virtual ~Host() = default;
  virtual Time now(NodeId node) const = 0;
  virtual void post(const Link& link, Message message) = 0;
  virtual void post(const Link& link, const Goodbye& goodbye) = 0;
};

// Programs that threw. The failure of the lowest round counts, then of the lowest node: what the user reads
// does not depend on timing. To find it, nodes up to that round still run; see NodeCell::may_run.
class FailureLog {
 public:
  void add(std::uint64_t round, NodeId node, std::exception_ptr error);
  std::uint64_t round() const { return round_.load(std::memory_order_acquire); }
  bool any() const { return round() != none; }
  NodeId node() const { return node_; }
  std::exception_ptr error() const { return error_; }

 private:
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  std::mutex mutex_;
  std::atomic<std::uint64_t> round_ = none;
  NodeId node_ = 0;
  std::exception_ptr error_;
};

struct RunContext {
  RunContext(const Graph& the_graph, const Contract& the_contract, const RunOptions& the_options,
             Host& the_host);

  const Graph& graph;
  const Contract& contract;
  const RunOptions& options;
  Host& host;
  LinkTable links;
  BreadthFirstTree tree;  // from node 0
  std::int32_t tree_height = 0;
  Ledger ledger;
  FailureLog failures;
  Identities identities;  // of the nodes of this process; the engine fills them in
};

}  // namespace choir
