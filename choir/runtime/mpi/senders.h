// A rank speaks for its own nodes and for nobody else: what it sends in another's name, and whatever it sends
// that choir does not write, ends the run with a sentence that names it.
//
//   require_own(*frame, parcel.from, placement);         // throws Error(PeerLost)
//   const auto frame = named("rank 2 (node 5)", [&] { return reader.next(); });
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "choir/base/error.h"
#include "choir/runtime/mpi/frames.h"
#include "choir/runtime/mpi/placement.h"

namespace choir {

// Of a message or a goodbye: its node `from` is one of the rank's.
void require_own(const Frame& frame, int rank, const Placement& placement);
// A node of the rank's has failed, or the rank itself; whom it blames is a rank.
void require_own(const Failure& failure, int rank, const Placement& placement);

// Of bytes that a rank announces and that have not come yet: more than the memory that is there is a lie.
void require_believable(std::uint64_t announced_bytes, int rank);

std::string describe_rank(int rank, const Placement& placement);  // "rank 2 (nodes 4 to 5)"
[[noreturn]] void refuse_sender(const std::string& sender, const Error& cause);

// What read() makes of what `sender` sent; bad data is the sender's doing.
template <class Read>
auto named(const std::string& sender, Read&& read) {
  try {
    return std::forward<Read>(read)();
  } catch (const Error& error) {
    if (error.category() != ErrorCategory::BadData) throw;
    refuse_sender(sender, error);
  }
}

}  // namespace choir
