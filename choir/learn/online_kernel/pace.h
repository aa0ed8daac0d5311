// What a node tells while it learns: how fast, and how well so far.
#pragma once

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "choir/base/progress.h"
#include "choir/base/stopwatch.h"
#include "choir/learn/online_kernel/online_kernel.h"

namespace choir::online_kernel {

class Pace {
 public:
  Pace(const Watch& watch, NodeId node, std::uint64_t samples)
      : watch_(watch), node_(node), before_(samples) {}
  void tell(const Round& round) const {
    const double rate = static_cast<double>(round.samples - before_) / std::max(clock_.seconds(), 1e-9);
    watch_.report(fmt::format("{:.0f} samples a second at node {}, samples", rate, node_),
                  static_cast<Index>(round.samples), 0, round.loss);
  }

 private:
  const Watch& watch_;
  NodeId node_;
  std::uint64_t before_;  // samples that an earlier run has learned from
  Stopwatch clock_;
};

}  // namespace choir::online_kernel
