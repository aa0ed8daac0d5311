#include "choir/runtime/blocks/secure_sum/common_draw.h"

#include <algorithm>
#include <span>

#include "choir/base/error.h"
#include "choir/crypto/secret.h"

namespace choir {
namespace {

Hash commitment_to(const Words& share) { return fingerprint("share of a draw", bytes_in(share)); }

}  // namespace

DrawShare DrawShare::fresh() {
  DrawShare share;
  const Secret random = Secret::random(share.bytes.size());
  std::ranges::copy(random.bytes(), share.bytes.begin());
  return share;
}

Hash DrawShare::commitment(NodeId owner) const { return commitment_to(record_of(owner, bytes)); }

Hash drawn_from(const Words& commitments, const Words& shares) {
  Index shown = 0;
  for (Index i = 0; i < commitments.cols(); ++i) {
    const std::int64_t node = commitments(0, i);
    if (shown == shares.cols() || shares(0, shown) != node) {
      fail(ErrorCategory::PeerLost,
           "node {} does not show its share of the draw of partners, so no sum can be masked; run again with "
           "the nodes that are left",
           node);
    }
    const auto promised = bytes_of<Hash>(commitments.col(i).tail(words_in(sizeof(Hash))));
    if (commitment_to(shares.col(shown++)) != promised) {
      fail(ErrorCategory::BadData,
           "the share of node {} in the draw of partners is not the one that it committed to: it, or a node "
           "on "
           "the way, wants to choose who masks with whom",
           node);
    }
  }
  if (shown < shares.cols()) {
    fail(ErrorCategory::BadData, "a share of the draw of partners arrived as that of node {}, which has none",
         shares(0, shown));
  }
  return fingerprint("draw", bytes_in(shares));
}

}  // namespace choir
