// A stream, a batch at a time, as a node learns from it: checked, and its labels as places in the classes.
#pragma once

#include <deque>

#include "choir/base/types.h"
#include "choir/data/stream.h"
#include "choir/learn/online_kernel/options.h"
#include "choir/linalg/types.h"

namespace choir::online_kernel {

struct StreamBatch {
  Samples samples;    // M x B, B >= 0
  Vector targets;     // B: places in the classes, or values
  bool last = false;  // nothing follows
};

class BatchReader {
 public:
  // `taken`: samples that an earlier run took from the stream. All must outlive the reader.
  BatchReader(SampleStream& stream, const Options& options, NodeId node, std::uint64_t taken)
      : stream_(stream), options_(options), node_(node), taken_(taken) {}

  // Empty once the stream has ended. Throws Error(BadData) naming the node and the place in its stream.
  StreamBatch next();
  // The samples of the next so many batches, which next() will still return one by one.
  TargetedSamples look_ahead(Index batches);

 private:
  StreamBatch read();
  void check(const TargetedSamples& batch) const;

  SampleStream& stream_;
  const Options& options_;
  NodeId node_;
  std::uint64_t taken_;
  std::deque<StreamBatch> ahead_;
  bool ended_ = false;
};

}  // namespace choir::online_kernel
