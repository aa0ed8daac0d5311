// The system's randomness replaced by a sequence that every run of a test begins anew: two runs that differ
// in their data alone draw the same keys, masks and noise.
//
//   const FixedRandomness fixed;           // while it lives; one at a time, for programs of one thread
#pragma once

namespace choir::testing {

class FixedRandomness {
 public:
  FixedRandomness();
  ~FixedRandomness();
  FixedRandomness(const FixedRandomness&) = delete;
  FixedRandomness& operator=(const FixedRandomness&) = delete;
};

}  // namespace choir::testing
