#include "choir/learn/alignment/key_counts.h"

#include <utility>

#include "choir/base/error.h"
#include "choir/learn/alignment/records.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

constexpr Index count_words = 2;  // whose, how many

std::vector<Index> checked(const Message& message, Index nodes, Index max_keys) {
  const WordsView told = table_of(message, count_words);
  std::vector<Index> counts(static_cast<std::size_t>(nodes), -1);
  for (Index i = 0; i < told.cols(); ++i) {
    const std::int64_t node = told(0, i);
    const std::int64_t count = told(1, i);
    if (node < 0 || node >= nodes || count < 0) {
      fail(ErrorCategory::BadData, "a count of {} keys of node {} arrived, but nodes are 0 to {}", count,
           node, nodes - 1);
    }
    if (count > max_keys) {
      fail(ErrorCategory::BadData,
           "node {} brings {} keys, but the parties agreed to at most {}; raise --max-keys at all parties if "
           "all of them accept that many",
           node, count, max_keys);
    }
    counts[static_cast<std::size_t>(node)] = count;
  }
  for (Index node = 0; node < nodes; ++node) {
    if (counts[static_cast<std::size_t>(node)] >= 0) continue;
    fail(ErrorCategory::PeerLost,
         "node {} did not say how many keys it has; every party is needed to find the common keys", node);
  }
  return counts;
}

}  // namespace

Task<std::vector<Index>> key_counts(Node& node, Index own, Index max_keys) {
  Words mine(count_words, 1);
  mine << node.id(), own;
  const Message message = table_message(std::move(mine));
  const Combine combine = side_by_side<count_words>;
  const Message all = co_await tree_fold(node, node.tree(), message, combine);
  co_return checked(all, node.network_size(), max_keys);
}

}  // namespace choir
