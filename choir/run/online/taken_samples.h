// How many samples a run has taken from a pipe, in a file that a killed process leaves behind: what it took
// after its last checkpoint is lost, and the next process says how many samples that were.
//
//   TakenSamples taken;
//   taken.keep_in("states/node-0-taken.txt", {.learned = 256});
//   taken.note(12);                                          // that this process has taken so far
//   taken.lost();                                            // by earlier ones
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>

namespace choir {

class TakenSamples {
 public:
  struct Beginning {
    std::uint64_t learned = 0;  // samples in the checkpoints that the run continues from
    bool continues = true;      // false: what the file has is another run's
  };
  // From now on notes are written. Throws Error(Io) if the file cannot be.
  void keep_in(const std::filesystem::path& path, const Beginning& beginning);
  // Nothing happens unless there is a file. It is handed to the system at once, so that it outlives this
  // process.
  void note(std::uint64_t samples);

  std::uint64_t lost() const { return lost_; }

 private:
  std::filesystem::path path_;
  std::fstream file_;
  std::uint64_t earlier_ = 0;  // taken by earlier processes
  std::uint64_t lost_ = 0;
};

}  // namespace choir
