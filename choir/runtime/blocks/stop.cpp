#include "choir/runtime/blocks/stop.h"

#include <algorithm>
#include <vector>

namespace choir {

void StopAgreement::advance(Index t, bool flagged, std::span<const StopWords> neighbors) {
  std::int64_t smallest = words_.counter;
  for (const StopWords& theirs : neighbors) {
    smallest = std::min(smallest, theirs.counter);
    words_.stop_at = std::min(words_.stop_at, theirs.stop_at);
  }
  words_.counter = flagged ? smallest + 1 : 0;
  if (words_.counter > diameter_) words_.stop_at = std::min<std::int64_t>(words_.stop_at, t + 1 + diameter_);
}

Task<bool> agree_to_stop(Node& node, StopAgreement& agreement, Index t, bool flagged) {
  Message mine(Kind::control);
  mine.integer(agreement.words().counter).integer(agreement.words().stop_at);
  const Inbox inbox = co_await node.exchange(mine, node.deadline());
  std::vector<StopWords> neighbors;
  for (const Received& other : inbox) {
    neighbors.push_back({.counter = other.message.integer(0), .stop_at = other.message.integer(1)});
  }
  agreement.advance(t, flagged, neighbors);
  co_return agreement.reached(t + 1);
}

}  // namespace choir
