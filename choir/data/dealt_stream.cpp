#include <algorithm>
#include <deque>
#include <exception>
#include <mutex>
#include <utility>

#include "choir/base/error.h"
#include "choir/data/stream.h"

namespace choir {
namespace {

struct Sample {
  Vector features;
  std::optional<double> target;
};

// The source and what was read of it for readers who have not asked yet.
class Deal {
 public:
  Deal(std::unique_ptr<SampleStream> source, Index readers)
      : source_(std::move(source)),
        features_(source_->features()),
        hands_(static_cast<std::size_t>(readers)) {}

  Index features() const { return features_; }

  // A bad record is nobody's turn: the first reader answers for all of them.
  std::uint64_t bad_before(std::size_t reader) {
    const std::lock_guard lock(mutex_);
    return reader == 0 ? source_->bad_before(all_samples) : 0;
  }
  std::vector<std::string> first_bad(std::size_t reader) {
    const std::lock_guard lock(mutex_);
    return reader == 0 ? source_->first_bad() : std::vector<std::string>();
  }

  // Up to `count` samples of a reader.
  std::vector<Sample> take(std::size_t reader, std::size_t count) {
    const std::lock_guard lock(mutex_);
    std::deque<Sample>& own = hands_[reader].waiting;
    while (own.size() < count && deal(count - own.size())) {
    }
    if (own.empty() && error_) std::rethrow_exception(error_);
    const auto end = own.begin() + static_cast<std::ptrdiff_t>(std::min(count, own.size()));
    std::vector<Sample> taken(std::move_iterator(own.begin()), std::move_iterator(end));
    own.erase(own.begin(), end);
    return taken;
  }

  // Nothing is kept for who has left.
  void leave(std::size_t reader) {
    const std::lock_guard lock(mutex_);
    hands_[reader].left = true;
    hands_[reader].waiting.clear();
  }

 private:
  struct Hand {
    std::deque<Sample> waiting;
    bool left = false;
  };

  // Reads as much as gives every reader `rounds` samples; false: there are no more. An error is what every
  // reader meets at that place, whoever was there first.
  bool deal(std::size_t rounds) {
    if (ended_) return false;
    constexpr std::size_t most = 1024;  // samples at once, so that a large question does not fill the memory
    const auto count = std::max(hands_.size(), std::min(rounds * hands_.size(), most));
    try {
      const std::optional<TargetedSamples> batch = source_->next(static_cast<Index>(count));
      ended_ = !batch;
      if (batch) hand_out(*batch);
    } catch (...) {
      error_ = std::current_exception();
      ended_ = true;
    }
    return !ended_;
  }

  void hand_out(const TargetedSamples& batch) {
    for (Index n = 0; n < batch.samples.cols(); ++n) {
      Hand& hand = hands_[turn_];
      turn_ = (turn_ + 1) % hands_.size();
      if (hand.left) continue;
      Sample sample{.features = batch.samples.col(n), .target = std::nullopt};
      if (batch.targets.size() > 0) sample.target = batch.targets[n];
      hand.waiting.push_back(std::move(sample));
    }
  }

  std::mutex mutex_;
  std::unique_ptr<SampleStream> source_;
  Index features_;
  std::vector<Hand> hands_;
  std::size_t turn_ = 0;
  bool ended_ = false;
  std::exception_ptr error_;
};

class DealtStream : public SampleStream {
 public:
  DealtStream(std::shared_ptr<Deal> deal, std::size_t reader) : deal_(std::move(deal)), reader_(reader) {}
  ~DealtStream() override { deal_->leave(reader_); }
  DealtStream(const DealtStream&) = delete;
  DealtStream& operator=(const DealtStream&) = delete;

  std::optional<TargetedSamples> next(Index count) override {
    if (count < 1)
      fail(ErrorCategory::InvalidArgument, "{} samples cannot be read; request at least 1", count);
    const std::vector<Sample> taken = deal_->take(reader_, static_cast<std::size_t>(count));
    if (taken.empty()) return std::nullopt;
    TargetedSamples batch;
    const auto size = static_cast<Index>(taken.size());
    batch.samples.resize(features(), size);
    if (taken.front().target) batch.targets.resize(size);
    for (Index n = 0; n < size; ++n) {
      const Sample& sample = taken[static_cast<std::size_t>(n)];
      batch.samples.col(n) = sample.features;
      if (sample.target) batch.targets[n] = *sample.target;
    }
    return batch;
  }

  // What is passed over here is still read, for the others.
  std::uint64_t skip(std::uint64_t count) override {
    constexpr std::uint64_t at_once = 256;
    std::uint64_t passed = 0;
    while (passed < count) {
      const auto taken = deal_->take(reader_, static_cast<std::size_t>(std::min(count - passed, at_once)));
      if (taken.empty()) break;
      passed += taken.size();
    }
    return passed;
  }

  Index features() const override { return deal_->features(); }
  std::uint64_t bad_before(std::uint64_t) const override { return deal_->bad_before(reader_); }
  std::vector<std::string> first_bad() const override { return deal_->first_bad(reader_); }

 private:
  std::shared_ptr<Deal> deal_;
  std::size_t reader_;
};

}  // namespace

std::vector<std::unique_ptr<SampleStream>> deal_stream(std::unique_ptr<SampleStream> source, Index readers) {
  if (readers < 1)
    fail(ErrorCategory::InvalidArgument,
         "samples cannot be distributed over {} readers; at least 1 is needed", readers);
  const auto deal = std::make_shared<Deal>(std::move(source), readers);
  std::vector<std::unique_ptr<SampleStream>> streams;
  for (std::size_t reader = 0; reader < static_cast<std::size_t>(readers); ++reader)
    streams.push_back(std::make_unique<DealtStream>(deal, reader));
  return streams;
}

}  // namespace choir
