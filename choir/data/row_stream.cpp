#include "choir/data/row_stream.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "choir/base/error.h"
#include "choir/data/arrays.h"

namespace choir {
namespace {

void check(const StreamOptions& options, const RowSource& source) {
  if (options.passes < 1)
    fail(ErrorCategory::InvalidArgument, "{} passes over {} were requested; at least 1 is needed",
         options.passes, source.name());
  if (options.stride < 1 || options.offset < 0 || options.offset >= options.stride) {
    fail(ErrorCategory::InvalidArgument,
         "a stride of {} over {} with offset {} is not possible; the stride must be at least 1 and the "
         "offset below it",
         options.stride, source.name(), options.offset);
  }
  if (options.passes > 1 && !source.can_rewind()) {
    fail(ErrorCategory::InvalidArgument, "{} can be read only once, not {} times; save it to a file first",
         source.name(), options.passes);
  }
}

// Who learns from samples one batch at a time sums squares of their entries. Where these are infinite, all
// distances are, and the error that shows in the end names neither row nor reason.
void check_squares(MatrixView<double> samples, const std::string& name, std::uint64_t first_row) {
  constexpr double largest = 1e150;  // its square times the most features that fit into a memory is finite
  if ((samples.array().abs() <= largest).all()) return;
  for (Index n = 0; n < samples.cols(); ++n) {
    for (Index m = 0; m < samples.rows(); ++m) {
      if (std::abs(samples(m, n)) <= largest) continue;
      fail(ErrorCategory::BadData,
           "{}: row {}, column {} is {:g}, whose square overflows; scale such values first", name,
           first_row + static_cast<std::uint64_t>(n) + 1, m + 1, samples(m, n));
    }
  }
}

void check_targets(const Vector& targets, const TargetRule& rule, const std::string& name,
                   std::uint64_t first_row) {
  for (Index n = 0; n < targets.size(); ++n) {
    if (rule.allows(targets[n])) continue;
    fail(ErrorCategory::BadData, "{}: row {} has the target {}, which is not {}", name,
         first_row + static_cast<std::uint64_t>(n) + 1, targets[n], rule.must_be);
  }
}

}  // namespace

RowStream::RowStream(std::unique_ptr<RowSource> source, const StreamOptions& options)
    : source_(std::move(source)),
      passes_left_(options.passes),
      stride_(static_cast<std::uint64_t>(options.stride)),
      offset_(static_cast<std::uint64_t>(options.offset)),
      gap_(offset_),
      rule_(options.targets),
      on_bad_record_(options.on_bad_record),
      stop_(options.stop),
      on_read_(options.on_read),
      warn_(options.warn) {
  check(options, *source_);
  if (on_read_) source_->before_waiting([this] { tell(); });
  tell();
}

std::optional<TargetedSamples> RowStream::next(Index count) {
  if (count < 1)
    fail(ErrorCategory::InvalidArgument, "{} samples of {} cannot be read; request at least 1", count,
         source_->name());
  TargetedSamples batch;
  Index filled = 0;
  if (stop_.stop_requested()) passes_left_ = 0;
  while (filled < count && passes_left_ > 0) {
    const Index wanted = wanted_of(count - filled);
    const Piece got = read(batch, filled, wanted);
    filled += got.usable;
    if (got.rows < wanted) end_pass();
  }
  if (filled == 0) return std::nullopt;
  batch.samples.conservativeResize(Eigen::NoChange, filled);
  if (source_->has_targets()) batch.targets.conservativeResize(filled);
  return batch;
}

// What `next` is asked for may be more than there is: memory follows what was read. Behind a bad row only who
// asked for one row can go on, and who asks for several does not know when each of them came.
Index RowStream::wanted_of(Index missing) const {
  if (stride_ > 1 || on_bad_record_ == BadRecord::skip || on_read_) return 1;
  constexpr Index block_bytes = Index{1} << 22;
  const Index row_bytes = source_->features() * static_cast<Index>(sizeof(double));
  return std::min(missing, std::max<Index>(1, block_bytes / row_bytes));
}

void RowStream::make_room(TargetedSamples& batch, Index samples) const {
  if (samples <= batch.samples.cols()) return;
  const Index room = std::max(samples, 2 * batch.samples.cols());
  batch.samples.conservativeResize(source_->features(), room);
  if (source_->has_targets()) batch.targets.conservativeResize(room);
}

RowStream::Piece RowStream::read(TargetedSamples& batch, Index filled, Index count) {
  const std::uint64_t passed = gap_ > 0 ? source_->skip(gap_) : 0;
  row_ += passed;
  if (passed < gap_) return {};
  make_room(batch, filled + count);
  const std::span<double> samples(batch.samples.col(filled).data(),
                                  static_cast<std::size_t>(count * source_->features()));
  const std::span<double> targets(source_->has_targets() ? batch.targets.data() + filled : nullptr,
                                  source_->has_targets() ? static_cast<std::size_t>(count) : 0);
  Index got = 1;
  try {
    got = source_->read(count, samples, targets);
    require_usable(batch, filled, got);
  } catch (const BadRow& reason) {
    if (on_bad_record_ == BadRecord::error) throw;
    pass_over(reason);
    move_on(1);
    tell();
    return {.rows = 1, .usable = 0};
  }
  move_on(got);
  given_ += static_cast<std::uint64_t>(got);
  tell();
  return {.rows = got, .usable = got};
}

// The rows that were just read.
void RowStream::require_usable(const TargetedSamples& batch, Index first, Index count) const {
  try {
    const auto samples = batch.samples.middleCols(first, count);
    check_finite(samples, source_->name(), row_);
    check_squares(samples, source_->name(), row_);
    if (source_->has_targets() && rule_.allows)
      check_targets(batch.targets.segment(first, count), rule_, source_->name(), row_);
  } catch (const Error& reason) {
    throw BadRow(reason);
  }
}

void RowStream::tell() const {
  if (on_read_) on_read_({.records = given_ + all_bad(), .lines = source_->received()});
}

void RowStream::move_on(Index rows) {
  row_ += static_cast<std::uint64_t>(rows);
  gap_ = stride_ - 1;
  if (rows > 0) pass_is_empty_ = false;
}

void RowStream::pass_over(const Error& reason) {
  constexpr std::size_t quoted = 3;
  constexpr std::uint64_t patience = 100;  // a pipe may never end
  const std::uint64_t bad = all_bad() + 1;
  if (bad_runs_.empty() || bad_runs_.back().samples_before != given_)
    bad_runs_.push_back({.samples_before = given_});
  bad_runs_.back().bad = bad;
  if (first_bad_.size() < quoted) first_bad_.emplace_back(reason.what());
  if (bad == patience) refuse_if_nothing_was_good();
}

std::uint64_t RowStream::bad_before(std::uint64_t samples) const {
  const auto end = std::ranges::lower_bound(bad_runs_, samples, {}, &BadRun::samples_before);
  return end == bad_runs_.begin() ? 0 : std::prev(end)->bad;
}

std::uint64_t RowStream::skip(std::uint64_t count) {
  std::uint64_t done = 0;
  while (done < count && passes_left_ > 0) {
    const std::uint64_t most = (std::numeric_limits<std::uint64_t>::max() - gap_) / stride_;
    const std::uint64_t wanted = std::min(count - done, most);
    const std::uint64_t rows = gap_ + (wanted - 1) * stride_ + 1;
    const std::uint64_t passed = source_->skip(rows);
    row_ += passed;
    const std::uint64_t ours = passed > gap_ ? (passed - gap_ - 1) / stride_ + 1 : 0;
    done += ours;
    skipped_ += ours;
    if (ours > 0) pass_is_empty_ = false;
    gap_ = stride_ - 1;
    if (passed < rows) end_pass();
  }
  return done;
}

// Then records look otherwise than the first line of the source says.
void RowStream::refuse_if_nothing_was_good() const {
  if (given_ > 0 || skipped_ > 0 || bad_runs_.empty()) return;
  fail(ErrorCategory::BadData, "none of the {} records that {} begins with can be used; the first: {}",
       all_bad(), source_->name(), first_bad_.front());
}

// A source without a row that is ours would be read again and again.
void RowStream::end_pass() {
  if (source_->end() == RowsEnd::broken_off && warn_) {
    warn_(fmt::format("{} ended within row {}; the stream ends before that row", source_->name(), row_ + 1));
  }
  passes_left_ = pass_is_empty_ || stop_.stop_requested() ? 0 : passes_left_ - 1;
  if (passes_left_ == 0) return refuse_if_nothing_was_good();
  source_->rewind();
  row_ = 0;
  gap_ = offset_;
  pass_is_empty_ = true;
}

}  // namespace choir
