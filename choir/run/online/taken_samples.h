// How many samples a node has taken from a pipe, in a file that a killed process leaves behind: what it took
// after its last checkpoint is lost, and the next process says how many samples that were.
//
//   TakenSamples taken("states", node);
//   const std::uint64_t lost = taken.by_earlier_runs() - state.samples;
//   taken.note(lost + state.samples);                        // after every round
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "choir/base/types.h"

namespace choir {

class TakenSamples {
 public:
  // Reads what earlier runs have noted; 0 if there was none. Throws Error(Io) if the file cannot be written.
  TakenSamples(const std::filesystem::path& folder, NodeId node);

  std::uint64_t by_earlier_runs() const { return earlier_; }
  // Handed to the system at once, so that it outlives this process.
  void note(std::uint64_t samples);

 private:
  std::filesystem::path path_;
  std::uint64_t earlier_ = 0;
  std::fstream file_;
};

}  // namespace choir
