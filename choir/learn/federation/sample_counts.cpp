#include "choir/learn/federation/sample_counts.h"

#include <algorithm>
#include <utility>

namespace choir {

void SampleCounts::note(std::vector<NodeId> devices, double samples) {
  if (!have(devices, samples)) known_.push_back({std::move(devices), samples});
}

bool SampleCounts::have(const std::vector<NodeId>& devices, double least) const {
  if (least <= 0) return true;
  return std::ranges::any_of(known_, [&](const Counted& counted) {
    return counted.samples >= least && std::ranges::includes(devices, counted.devices);
  });
}

}  // namespace choir
