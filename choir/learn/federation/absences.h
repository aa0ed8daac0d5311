// Devices that did not answer are asked again after 1, 2, 4, ... rounds: one that is gone for good is not
// waited for in every round, and one that missed a round is back in the next.
//
//   absences.begin_round();
//   if (!absences.rests(device)) ...                 // ask it
//   absences.note(answered, silent);
#pragma once

#include <map>
#include <vector>

#include "choir/base/types.h"

namespace choir {

class Absences {
 public:
  void begin_round() { ++round_; }
  bool rests(NodeId device) const;  // is not asked in this round
  void note(const std::vector<NodeId>& answered, const std::vector<NodeId>& silent);

 private:
  struct Absence {
    Index wait = 0;  // rounds from the last one it missed to the next in which it is asked
    Index next = 0;
  };
  Index round_ = 0;
  std::map<NodeId, Absence> absences_;
};

}  // namespace choir
