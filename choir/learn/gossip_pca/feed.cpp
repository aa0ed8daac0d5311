#include "choir/learn/gossip_pca/feed.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "choir/base/error.h"

namespace choir::gossip_pca {

SampleFeed in_batches(Samples samples, Index count, Duration interval) {
  if (count < 1 || interval <= Duration::zero()) {
    fail(ErrorCategory::InvalidArgument,
         "a stream of {} samples every {} ns does not flow; both must be positive", count, interval.count());
  }
  const auto all = std::make_shared<const Samples>(std::move(samples));
  return [all, count, interval, next = Index{0}, batches = Index{0}]() mutable -> std::optional<FeedBatch> {
    if (next >= all->cols()) return std::nullopt;
    const Index size = std::min(count, all->cols() - next);
    FeedBatch batch{.at = ++batches * interval, .samples = all->middleCols(next, size)};
    next += size;
    return batch;
  };
}

}  // namespace choir::gossip_pca
