// What the nodes were after some of their rounds, all nodes after the same round.
//
//   OnlineTrace trace(20, {10, 20, 40});
//   fit_online_kernel(*engine, graph, std::move(streams), options, {}, trace.hooks());
//   trace.moments()[1].nodes[15].f.size();               // the model order of node 15 after round 20
#pragma once

#include <cstdint>
#include <vector>

#include "choir/learn/online_kernel/online_kernel.h"

namespace choir {

struct OnlineMoment {
  std::uint64_t round = 0;
  std::vector<online_kernel::State> nodes;

  std::uint64_t samples() const { return nodes.front().samples; }
};

class OnlineTrace {
 public:
  // `rounds`: ascending.
  OnlineTrace(Index nodes, const std::vector<std::uint64_t>& rounds);

  online_kernel::Hooks hooks();  // the trace must outlive the run
  const std::vector<OnlineMoment>& moments() const { return moments_; }

 private:
  std::vector<OnlineMoment> moments_;
};

// That a stream of so many samples takes.
std::uint64_t rounds_of(Index samples, Index batch);
// So many rounds apart, at least one, and the last.
std::vector<std::uint64_t> every(std::uint64_t step, std::uint64_t last);

}  // namespace choir
