// What a run has taken from a pipe, in a file that a killed process leaves behind: what it took after its
// last checkpoint is lost, and the next process says how many records that were.
//
//   TakenSamples taken;
//   taken.go_on_in("states/node-0-taken.txt");               // before the pipe is opened, if there is such a
//   file taken.note({.records = 12});                             // that this process has taken so far
//   taken.keep_in("states/node-0-taken.txt", {.learned = 256});
//   taken.lost();                                            // by earlier ones
//
// Counted are records that were read (samples and bad ones), whole lines that were received and not read, a
// line that was received in part, and the first line of a pipe that goes on, if it was passed over. The last
// two may be one line, and count as one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "choir/base/types.h"
#include "choir/data/stream.h"

namespace choir {

// Of the pipe whose first node this is.
std::filesystem::path taken_file(const std::filesystem::path& folder, NodeId first);

class TakenSamples {
 public:
  struct Beginning {
    std::uint64_t learned = 0;  // records up to the checkpoints that the run continues from
    bool continues = true;      // false: what the file has is another run's
  };
  // If there is such a file, notes are written from now on.
  void go_on_in(const std::filesystem::path& path);
  // From now on notes are written. Throws Error(Io) if the file cannot be.
  void keep_in(const std::filesystem::path& path, const Beginning& beginning);
  // It is handed to the system at once, if there is a file, so that it outlives this process.
  void note(const ReadSoFar& so_far);

  std::uint64_t lost() const { return lost_; }

 private:
  void read_earlier(const std::filesystem::path& path);
  std::uint64_t before() const;  // the records of this process
  void write();

  std::filesystem::path path_;
  std::fstream file_;
  std::uint64_t earlier_ = 0;       // received by earlier processes, in whole lines
  bool began_within_line_ = false;  // the last of them ended within a line
  ReadSoFar so_far_;
  std::uint64_t lost_ = 0;
};

}  // namespace choir
