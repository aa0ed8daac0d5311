#include "choir/runtime/mpi/senders.h"

#include <algorithm>
#include <limits>

#include "choir/base/memory.h"

namespace choir {
namespace {

bool runs(const Placement& placement, int rank, NodeId node) {
  return node >= 0 && node < placement.nodes() && placement.rank_of(node) == rank;
}

}  // namespace

std::string describe_rank(int rank, const Placement& placement) {
  return fmt::format("rank {} ({})", rank, placement.describe_block(rank));
}

void require_own(const Frame& frame, int rank, const Placement& placement) {
  if (runs(placement, rank, frame.from)) return;
  fail(
      ErrorCategory::PeerLost,
      "{} sent a message in the name of node {}, which it does not run; nothing of it was used: look at what "
      "runs there",
      describe_rank(rank, placement), frame.from);
}

void require_own(const Failure& failure, int rank, const Placement& placement) {
  const bool own =
      failure.scope == Failure::Scope::rank ? failure.origin == rank : runs(placement, rank, failure.origin);
  if (own && failure.blamed_rank >= -1 && failure.blamed_rank < placement.ranks()) return;
  fail(ErrorCategory::PeerLost,
       "{} reported a failure of {} {}, which is not its own; look at what runs there",
       describe_rank(rank, placement), failure.scope == Failure::Scope::rank ? "rank" : "node",
       failure.origin);
}

void require_believable(std::uint64_t announced_bytes, int rank) {
  const std::uint64_t most = std::min<std::uint64_t>(available_memory(), std::numeric_limits<int64_t>::max());
  if (announced_bytes <= most) return;
  fail(ErrorCategory::PeerLost,
       "rank {} announced {} bytes, more than the {} bytes of memory there are; look at what runs there",
       rank, announced_bytes, most);
}

void refuse_sender(const std::string& sender, const Error& cause) {
  throw Error(ErrorCategory::PeerLost,
              fmt::format("{} sent what choir does not write; look at what runs there", sender), cause);
}

}  // namespace choir
