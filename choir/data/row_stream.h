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

 private:
  Index room_for(Index wanted) const;
  Index read(TargetedSamples& batch, Index filled, Index count);
  void end_pass();

  std::unique_ptr<RowSource> source_;
  Index passes_left_;  // the one under way included; 0: the end
  std::uint64_t stride_;
  std::uint64_t offset_;
  std::uint64_t row_ = 0;      // of the source, the next one
  std::uint64_t gap_;          // rows of others before the next one that is ours
  bool pass_is_empty_ = true;  // so far
  std::stop_token stop_;
  std::function<void(const std::string&)> warn_;
};

}  // namespace choir
