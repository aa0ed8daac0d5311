#include "choir/learn/online_kernel/batches.h"

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/learn/online_kernel/losses.h"
#include "choir/linalg/columns.h"

namespace choir::online_kernel {

void BatchReader::check(const TargetedSamples& batch) const {
  const auto refuse = [&](const char* what) {
    fail(ErrorCategory::BadData, "samples {} to {} of node {}'s stream {}", taken_ + 1,
         taken_ + static_cast<std::uint64_t>(batch.samples.cols()), node_, what);
  };
  if (batch.targets.size() != batch.samples.cols()) {
    refuse("have no targets to learn from; name the column or file that holds them");
  }
  if (batch.samples.rows() != stream_.features()) refuse("do not have the stream's number of features");
  if (!batch.samples.allFinite() || !batch.targets.allFinite()) {
    refuse("have an entry that is not a finite number; remove such samples first");
  }
}

StreamBatch BatchReader::next() {
  if (ahead_.empty()) return read();
  StreamBatch batch = std::move(ahead_.front());
  ahead_.pop_front();
  return batch;
}

TargetedSamples BatchReader::look_ahead(Index batches) {
  while (std::ssize(ahead_) < batches && !ended_) ahead_.push_back(read());
  std::vector<Samples> samples = {Samples(stream_.features(), 0)};
  std::vector<Matrix> targets = {Matrix(1, 0)};
  for (const StreamBatch& batch : ahead_) {
    samples.push_back(batch.samples);
    targets.push_back(batch.targets.transpose());
  }
  return {.samples = side_by_side(samples), .targets = side_by_side(targets).transpose()};
}

StreamBatch BatchReader::read() {
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
