#include "choir/learn/gossip_pca/feed.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "choir/base/error.h"
#include "choir/base/text.h"

namespace choir::gossip_pca {

SampleFeed in_batches(Samples samples, Index count, Duration interval) {
  if (count < 1 || interval <= Duration::zero()) {
    fail(ErrorCategory::InvalidArgument,
         "a stream of {} samples every {} ns is not possible; both must be positive", count,
         interval.count());
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

Stream parse_stream(std::string_view text) {
  const std::size_t at = text.find('@');
  const auto count = parse_integer(text.substr(0, at));
  Duration interval{};
  if (at != std::string_view::npos) interval = parse_duration(text.substr(at + 1));
  if (!count || *count < 1 || interval <= Duration::zero()) {
    fail(ErrorCategory::InvalidArgument,
         "'{}' is not a stream; write a number of samples and the time between them, like 50@100ms", text);
  }
  return {.count = static_cast<Index>(*count), .interval = interval};
}

std::vector<SampleFeed> feeds_of(std::vector<Samples>& shards, const Stream& stream) {
  std::vector<SampleFeed> feeds;
  for (Samples& shard : shards) {
    const Index first = std::min(stream.count, shard.cols());
    feeds.push_back(in_batches(shard.rightCols(shard.cols() - first), stream.count, stream.interval));
    shard.conservativeResize(Eigen::NoChange, first);
  }
  return feeds;
}

}  // namespace choir::gossip_pca
