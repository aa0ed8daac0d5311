// What a node tells while it learns: how fast, and how well so far.
#pragma once

#include <cstdint>

#include "choir/base/progress.h"
#include "choir/base/stopwatch.h"
#include "choir/learn/online_kernel/online_kernel.h"

namespace choir::online_kernel {

class Pace {
 public:
  Pace(const Watch& watch, NodeId node, std::uint64_t samples)
      : watch_(watch), node_(node), before_(samples) {}
  void tell(const Round& round) const;

 private:
  const Watch& watch_;
  NodeId node_;
  std::uint64_t before_;  // samples that an earlier run has learned from
  Stopwatch clock_;
};

// hooks.predicted. `scores`: as they are learned; `targets`: as they came.
void tell_predictions(const Hooks& hooks, NodeId node, const State& state, const Matrix& scores,
                      const Vector& targets);

// What the state after a round says: its number, samples, order and progressive figures.
void report_state(const State& state, const Options& options, Round& report);

}  // namespace choir::online_kernel
