#include "choir/run/online/save_on_demand.h"

#include <algorithm>
#include <utility>

namespace choir {

// No node has done a later round than the newest, so all of them will do the one after it.
bool SaveOnDemand::is_due(NodeId node, std::uint64_t round) {
  if (!requests_) return false;
  const std::lock_guard lock(mutex_);
  const std::uint64_t requests = requests_();
  if (nodes_ == Nodes::alone) return std::exchange(answered_[node], requests) < requests;
  newest_ = std::max(newest_, round);
  if (seen_ < requests) {
    seen_ = requests;
    due_ = newest_ + 1;
  }
  return round == due_;
}

}  // namespace choir
