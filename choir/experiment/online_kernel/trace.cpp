#include "choir/experiment/online_kernel/trace.h"

#include <algorithm>

namespace choir {

OnlineTrace::OnlineTrace(Index nodes, const std::vector<std::uint64_t>& rounds) {
  for (const std::uint64_t round : rounds) {
    moments_.push_back(
        {.round = round, .nodes = std::vector<online_kernel::State>(static_cast<std::size_t>(nodes))});
  }
}

online_kernel::Hooks OnlineTrace::hooks() {
  // Every node writes to its own place, so that nodes on different threads need no lock.
  return {.after_round = [this](const online_kernel::Round& round, const online_kernel::State& state) {
    const auto found = std::lower_bound(
        moments_.begin(), moments_.end(), round.round,
        [](const OnlineMoment& moment, std::uint64_t wanted) { return moment.round < wanted; });
    if (found == moments_.end() || found->round != round.round) return;
    found->nodes[static_cast<std::size_t>(round.node)] = state;
  }};
}

std::uint64_t rounds_of(Index samples, Index batch) {
  return static_cast<std::uint64_t>((samples + batch - 1) / batch);
}

std::vector<std::uint64_t> every(std::uint64_t step, std::uint64_t last) {
  step = std::max<std::uint64_t>(step, 1);
  std::vector<std::uint64_t> rounds;
  for (std::uint64_t round = step; round < last; round += step) rounds.push_back(round);
  rounds.push_back(last);
  return rounds;
}

}  // namespace choir
