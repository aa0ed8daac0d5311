// All nodes stop at the same iteration, without any global sum.
//
//   StopAgreement stop(node.tree().height * 2);
//   for (Index t = 0; !stop.reached(t); ++t) {
//     message.integer(stop.words().counter).integer(stop.words().stop_at);   // in any message of the round
//     const Inbox inbox = co_await node.exchange(message, node.deadline());
//     ...
//     stop.advance(t, flagged, words_of_the_neighbors);
//   }
//
// A node is flagged while it is content (its iterate moves less than tol). Its counter is 0 if not flagged,
// else 1 + the smallest counter in its closed neighbourhood one iteration ago. A counter above the diameter
// means that all nodes were flagged at some earlier iteration; a node that sees it after iteration t calls
// for a stop at t + 1 + diameter, and the smallest such call reaches everybody before it is due: the farthest
// node hears it in iteration t + diameter.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "choir/base/types.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

struct StopWords {
  std::int64_t counter = 0;
  std::int64_t stop_at = std::numeric_limits<std::int64_t>::max();
};

class StopAgreement {
 public:
  // `diameter` may be any upper bound. Where nodes may be lost the number of nodes is a good one: calls then
  // have time for the detours.
  explicit StopAgreement(Index diameter) : diameter_(diameter) {}
  // Goes on from what words() said after an earlier run's last iteration.
  StopAgreement(Index diameter, const StopWords& words) : diameter_(diameter), words_(words) {}

  // What to send in this iteration.
  const StopWords& words() const { return words_; }
  // After iteration t: whether this node is content, and what the neighbours sent in it.
  void advance(Index t, bool flagged, std::span<const StopWords> neighbors);
  // Whether iteration t is not to be begun.
  bool reached(Index t) const { return t >= words_.stop_at; }

 private:
  Index diameter_;
  StopWords words_;
};

// One exchange that carries nothing else, for programs without a message of their own to put the words into.
// Returns whether iteration t + 1 is not to be begun.
Task<bool> agree_to_stop(Node& node, StopAgreement& agreement, Index t, bool flagged);

}  // namespace choir
