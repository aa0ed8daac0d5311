// The state of a run's nodes on disk, so that one that was killed goes on where it was.
//
//   OnlineCheckpoint checkpoint("states", identity, {.every = 300, .nodes = 20});
//   if (checkpoint.is_due(state.round)) checkpoint.keep(node, {.state = state});
//   const SavedState saved = checkpoint.load(node, round);
//
// A file for each node and every so many rounds, written atomically. Nodes may be apart by as many rounds as
// there are nodes when the machine dies; as many files stay as it takes to find a round that all of them
// have, one of before the streams' ends among them. Those of rounds 1, 2, 4, 8, ... times `every` stay.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "choir/base/types.h"
#include "choir/run/online/state_file.h"

namespace choir {

class OnlineCheckpoint {
 public:
  struct Rhythm {
    std::uint64_t every = 1;  // rounds
    Index nodes = 1;
  };
  // `identity`: what must be the same for a state to be of use. Makes the folder. Throws Error(Io).
  OnlineCheckpoint(std::filesystem::path folder, std::string identity, const Rhythm& rhythm);

  bool is_due(std::uint64_t round) const { return round % rhythm_.every == 0; }
  // Writes the state, and forgets those that nobody can need any more. Nodes may call it concurrently.
  void keep(NodeId node, const SavedState& saved) const;
  // A run that goes on after this round makes later ones anew. What a killed process was writing of the node
  // goes as well.
  void forget_after(NodeId node, std::uint64_t round) const;
  // Of which there are states, ascending.
  std::vector<std::uint64_t> rounds_of(NodeId node) const;
  // Throws Error(BadData) for a file that is damaged, Error(InvalidArgument) for one of another run.
  SavedState load(NodeId node, std::uint64_t round) const;
  bool is_empty() const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path file_of(NodeId node, std::uint64_t round) const;

  std::filesystem::path folder_;
  std::string identity_;
  Rhythm rhythm_;
};

}  // namespace choir
