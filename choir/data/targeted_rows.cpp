#include "choir/data/targeted_rows.h"

#include <cmath>
#include <utility>

#include "choir/base/error.h"

namespace choir {
namespace {

class TargetedRows : public RowSource {
 public:
  TargetedRows(std::unique_ptr<RowSource> samples, std::unique_ptr<RowSource> targets)
      : samples_(std::move(samples)), targets_(std::move(targets)) {
    if (targets_->features() != 1) {
      fail(ErrorCategory::BadData, "{} holds {} numbers per row, but a target is one number",
           targets_->name(), targets_->features());
    }
    if (rows() && targets_->rows() && rows() != targets_->rows()) refuse(*rows(), *targets_->rows());
  }

  const std::string& name() const override { return samples_->name(); }
  Index features() const override { return samples_->features(); }
  bool has_targets() const override { return true; }
  std::optional<std::uint64_t> rows() const override { return samples_->rows(); }
  bool can_rewind() const override { return samples_->can_rewind() && targets_->can_rewind(); }

  Index read(Index count, std::span<double> samples, std::span<double> targets) override {
    Index got = read_samples(count, samples);
    const Index beside = read_targets(got, targets);
    if (targets_->end() != RowsEnd::whole) got = beside;
    const std::uint64_t first = row_;
    move_on(static_cast<std::uint64_t>(got), static_cast<std::uint64_t>(beside), got < count);
    for (Index n = 0; n < beside; ++n)
      check(targets[static_cast<std::size_t>(n)], first + static_cast<std::uint64_t>(n));
    return got;
  }

  std::uint64_t skip(std::uint64_t count) override {
    std::uint64_t passed = samples_->skip(count);
    const std::uint64_t beside = targets_->skip(passed);
    if (targets_->end() != RowsEnd::whole) passed = beside;
    move_on(passed, beside, passed < count);
    return passed;
  }

  RowsEnd end() const override {
    return samples_->end() == RowsEnd::whole ? targets_->end() : samples_->end();
  }

  void rewind() override {
    samples_->rewind();
    targets_->rewind();
    row_ = 0;
  }

 private:
  // Behind a row that either side cannot use both stand at the next one.
  Index read_samples(Index count, std::span<double> samples) {
    try {
      return samples_->read(count, samples, {});
    } catch (const BadRow&) {
      move_on(1, targets_->skip(1), false);
      throw;
    }
  }

  Index read_targets(Index count, std::span<double> targets) {
    try {
      return targets_->read(count, targets, {});
    } catch (const BadRow&) {
      ++row_;
      throw;
    }
  }

  void move_on(std::uint64_t samples, std::uint64_t targets, bool at_end) {
    if (targets < samples) {
      fail(ErrorCategory::BadData,
           "{} has only {} targets, but {} continues; one target per sample is needed", targets_->name(),
           row_ + targets, name());
    }
    row_ += samples;
    if (at_end && end() == RowsEnd::whole && targets_->skip(1) > 0) {
      fail(ErrorCategory::BadData, "{} has more targets than {} has samples ({})", targets_->name(), name(),
           row_);
    }
  }

  void check(double target, std::uint64_t row) const {
    if (std::isfinite(target)) return;
    throw BadRow(Error(ErrorCategory::BadData,
                       fmt::format("{}: row {} is {}; remove or replace such values", targets_->name(),
                                   row + 1, std::isnan(target) ? "NaN" : "infinite")));
  }

  [[noreturn]] void refuse(std::uint64_t samples, std::uint64_t targets) const {
    fail(ErrorCategory::BadData, "{} has {} targets, but {} has {} samples; one target per sample is needed",
         targets_->name(), targets, name(), samples);
  }

  std::unique_ptr<RowSource> samples_;
  std::unique_ptr<RowSource> targets_;
  std::uint64_t row_ = 0;  // the next one
};

}  // namespace

std::unique_ptr<RowSource> with_targets(std::unique_ptr<RowSource> samples,
                                        std::unique_ptr<RowSource> targets) {
  return std::make_unique<TargetedRows>(std::move(samples), std::move(targets));
}

}  // namespace choir
