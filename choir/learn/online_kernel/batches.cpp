#include "choir/learn/online_kernel/batches.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/learn/online_kernel/losses.h"

namespace choir::online_kernel {

void BatchReader::check(const TargetedSamples& batch) const {
  const auto refuse = [&](const char* what) {
    fail(ErrorCategory::BadData, "samples {} to {} of node {}'s stream {}", taken_ + 1,
         taken_ + static_cast<std::uint64_t>(batch.samples.cols()), node_, what);
  };
  if (batch.targets.size() != batch.samples.cols()) {
    refuse("have no targets to learn from; say which column or file holds them");
  }
  if (batch.samples.rows() != stream_.features()) refuse("do not have the stream's number of features");
  if (!batch.samples.allFinite() || !batch.targets.allFinite()) {
    refuse("have an entry that is not a finite number; remove such samples first");
  }
}

StreamBatch BatchReader::next() {
  StreamBatch batch{.samples = Samples(stream_.features(), 0), .targets = Vector(0), .last = true};
  if (ended_) return batch;
  std::optional<TargetedSamples> taken = stream_.next(options_.batch);
  ended_ = !taken || taken->samples.cols() < options_.batch;
  if (!taken) return batch;
  check(*taken);
  try {
    batch.targets = is_classification(options_.loss) ? places_of(taken->targets, options_.classes)
                                                     : std::move(taken->targets);
  } catch (const Error& cause) {
    throw Error(cause.category(),
                fmt::format("samples from {} on of node {}'s stream cannot be used", taken_ + 1, node_),
                cause);
  }
  batch.samples = std::move(taken->samples);
  batch.last = ended_;
  taken_ += static_cast<std::uint64_t>(batch.samples.cols());
  return batch;
}

}  // namespace choir::online_kernel
