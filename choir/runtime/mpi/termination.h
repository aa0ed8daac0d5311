// When nothing can happen any more on any rank: no node can run, and no parcel is on its way.
//
//   if (const auto unfinished = termination.look(idle, own_unfinished)) ...   // nodes that had not ended
//
// Waves of sums: every rank adds, while it has nothing to do, how many parcels it has sent and taken. If
// all that were sent by a wave had been taken by the wave before it, nothing was on its way in between and
// nobody has had anything to do since (Mattern 1987).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "choir/runtime/mpi/post_office.h"

namespace choir {

class Termination {
 public:
  explicit Termination(PostOffice& office) : office_(office) {}

  // The unfinished nodes of all ranks, once, at the same wave on every rank.
  std::optional<std::uint64_t> look(bool idle, std::uint64_t unfinished);

  // A rank woke up by itself, not by a parcel: by a deadline or its caller. Waves do not see that.
  void note_own_doing() { own_doing_ = true; }
  bool own_doing() const { return own_doing_; }
  // Begin again: someone has woken up.
  void restart() { taken_before_ = none; }

 private:
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  PostOffice& office_;
  std::shared_ptr<PostOffice::Sum> wave_;  // null: this rank has not joined the next one
  std::uint64_t taken_before_ = none;
  bool own_doing_ = false;  // since this rank joined the last wave
};

}  // namespace choir
