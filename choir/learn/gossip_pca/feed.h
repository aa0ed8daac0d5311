// Samples that come to a node while it gossips.
//
//   auto feed = gossip_pca::in_batches(std::move(samples), 50, std::chrono::milliseconds(100));
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "choir/base/deadline.h"
#include "choir/linalg/types.h"

namespace choir::gossip_pca {

struct FeedBatch {
  Duration at{};    // after the node's start
  Samples samples;  // M x n, as in the files
};

// The next batch, in order of time; nothing: there are no more. Called by one node, one call at a time.
using SampleFeed = std::function<std::optional<FeedBatch>()>;

// `count` samples at a time, the first after one interval.
SampleFeed in_batches(Samples samples, Index count, Duration interval);

// A shard that comes little by little: `count` samples are there at the start, and as many more come after
// every interval.
struct Stream {
  Index count = 0;
  Duration interval{};
};
Stream parse_stream(std::string_view text);  // "50@100ms"; throws Error(InvalidArgument)
// One for each shard. Leaves in the shards what is there at the start.
std::vector<SampleFeed> feeds_of(std::vector<Samples>& shards, const Stream& stream);

}  // namespace choir::gossip_pca
