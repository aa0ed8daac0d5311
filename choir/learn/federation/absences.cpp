#include "choir/learn/federation/absences.h"

#include <algorithm>

namespace choir {

bool Absences::rests(NodeId device) const {
  const auto absence = absences_.find(device);
  return absence != absences_.end() && absence->second.next > round_;
}

void Absences::note(const std::vector<NodeId>& answered, const std::vector<NodeId>& silent) {
  for (const NodeId device : answered) absences_.erase(device);
  for (const NodeId device : silent) {
    Absence& absence = absences_[device];
    absence.wait = std::max<Index>(1, 2 * absence.wait);
    absence.next = round_ + absence.wait;
  }
}

}  // namespace choir
