// How many samples sets of devices have, as far as totals have shown it.
//
//   counts.note({1, 2, 4}, 90);
//   counts.have({1, 2, 3, 4}, 80)      // true: a part of them has
//   counts.have({1, 2}, 80)            // false: nobody knows
#pragma once

#include <vector>

#include "choir/base/types.h"

namespace choir {

class SampleCounts {
 public:
  // Ids ascend, here and below.
  void note(std::vector<NodeId> devices, double samples);
  bool have(const std::vector<NodeId>& devices, double least) const;

 private:
  struct Counted {
    std::vector<NodeId> devices;
    double samples = 0;
  };
  std::vector<Counted> known_;
};

}  // namespace choir
