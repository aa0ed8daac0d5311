// A SampleStream over the rows of any source: strides, passes, and a look at every number.
#pragma once

#include <memory>

#include "choir/data/row_source.h"
#include "choir/data/stream.h"

namespace choir {

class RowStream : public SampleStream {
 public:
  // Passes, stride and offset of `options`. Throws Error(InvalidArgument) if they make no sense or the source
  // cannot be read twice.
  RowStream(std::unique_ptr<RowSource> source, const StreamOptions& options);

  std::optional<TargetedSamples> next(Index count) override;
  std::uint64_t skip(std::uint64_t count) override;
  Index features() const override { return source_->features(); }
  std::uint64_t bad_before(std::uint64_t samples) const override;
  std::vector<std::string> first_bad() const override { return first_bad_; }

 private:
  Index wanted_of(Index missing) const;
  void make_room(TargetedSamples& batch, Index samples) const;
  // Rows of the source, and those of them that can be used.
  struct Piece {
    Index rows = 0;
    Index usable = 0;
  };
  Piece read(TargetedSamples& batch, Index filled, Index count);
  void require_usable(const TargetedSamples& batch, Index first, Index count) const;
  void move_on(Index rows);
  void pass_over(const Error& reason);
  void tell() const;
  std::uint64_t all_bad() const { return bad_runs_.empty() ? 0 : bad_runs_.back().bad; }
  void end_pass();
  void refuse_if_nothing_was_good() const;

  std::unique_ptr<RowSource> source_;
  Index passes_left_;  // the one under way included; 0: the end
  std::uint64_t stride_;
  std::uint64_t offset_;
  std::uint64_t row_ = 0;      // of the source, the next one
  std::uint64_t gap_;          // rows of others before the next one that is ours
  bool pass_is_empty_ = true;  // so far
  TargetRule rule_;
  BadRecord on_bad_record_;
  std::uint64_t given_ = 0;    // samples
  std::uint64_t skipped_ = 0;  // by skip()
  // Bad records that came one after another: how many samples were given before them, and how many bad ones
  // there were up to the last of them.
  struct BadRun {
    std::uint64_t samples_before = 0;
    std::uint64_t bad = 0;
  };
  std::vector<BadRun> bad_runs_;  // ascending
  std::vector<std::string> first_bad_;
  std::stop_token stop_;
  std::function<void(const ReadSoFar&)> on_read_;
  std::function<void(const std::string&)> warn_;
};

}  // namespace choir
