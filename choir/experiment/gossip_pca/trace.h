// A gossiping network seen from outside, at chosen numbers of messages a node.
//
//   GossipTrace trace({.nodes = 100, .points = {1, 5, 20}, .look = [&](const TraceMoment& now) { ... }});
//   options.observe = trace.observer();
//   fit_gossip_pca(...);
//   trace.finish();
//
// Messages a node: every share that is given counts 1 by the number of nodes there are by then.
// Repetitions and acknowledgements do not count.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "choir/learn/gossip_pca/observer.h"
#include "choir/runtime/sim/sim_options.h"

namespace choir {

using NodeSummaries = std::vector<std::optional<Summary>>;  // nothing: has not started, or crashed

struct TraceMoment {
  double messages = 0;  // a node
  Time time{};
  const NodeSummaries& nodes;
};

struct TraceOptions {
  Index nodes = 0;
  std::vector<double> points = {};  // messages a node, ascending
  std::function<void(const TraceMoment&)> look = {};
  std::vector<NodeTime> crashes = {};  // those of the simulated network
};

class GossipTrace {
 public:
  explicit GossipTrace(TraceOptions options);
  GossipTrace(const GossipTrace&) = delete;
  GossipTrace& operator=(const GossipTrace&) = delete;

  // What gossip_pca::Options::observe takes; the trace must live as long as the run.
  std::function<void(const gossip_pca::Event&)> observer();
  // Looks at what the run ended with, if points are left.
  void finish();

 private:
  void see(const gossip_pca::Event& event);
  void bury(Time now);
  Index present() const;

  TraceOptions options_;
  NodeSummaries nodes_;
  double messages_ = 0;
  std::size_t next_point_ = 0;
  Time time_{};
};

}  // namespace choir
