#include <algorithm>
#include <utility>

#include "choir/base/error.h"
#include "choir/data/row_stream.h"

namespace choir {
namespace {

class MemoryRows : public RowSource {
 public:
  explicit MemoryRows(TargetedSamples content) : content_(std::move(content)) {
    if (has_targets() && content_.targets.size() != content_.samples.cols()) {
      fail(ErrorCategory::InvalidArgument, "{} samples have {} targets; one target per sample is needed",
           content_.samples.cols(), content_.targets.size());
    }
  }

  const std::string& name() const override { return name_; }
  Index features() const override { return content_.samples.rows(); }
  bool has_targets() const override { return content_.targets.size() > 0; }
  std::optional<std::uint64_t> rows() const override {
    return static_cast<std::uint64_t>(content_.samples.cols());
  }

  Index read(Index count, std::span<double> samples, std::span<double> targets) override {
    count = std::min(count, content_.samples.cols() - row_);
    std::copy_n(content_.samples.data() + row_ * features(), count * features(), samples.begin());
    if (has_targets()) std::copy_n(content_.targets.data() + row_, count, targets.begin());
    row_ += count;
    return count;
  }

  std::uint64_t skip(std::uint64_t count) override {
    const auto left = static_cast<std::uint64_t>(content_.samples.cols() - row_);
    const std::uint64_t passed = std::min(count, left);
    row_ += static_cast<Index>(passed);
    return passed;
  }

  void rewind() override { row_ = 0; }

 private:
  TargetedSamples content_;
  std::string name_ = "the samples in memory";
  Index row_ = 0;  // the next one
};

}  // namespace

TargetedSamples rest_of(SampleStream& stream) {
  constexpr Index at_once = 1 << 20;
  TargetedSamples all{.samples = Samples(stream.features(), 0), .targets = {}};
  while (const auto batch = stream.next(at_once)) {
    const Index before = all.samples.cols();
    const Index more = batch->samples.cols();
    all.samples.conservativeResize(Eigen::NoChange, before + more);
    all.samples.rightCols(more) = batch->samples;
    all.targets.conservativeResize(batch->targets.size() > 0 ? before + more : 0);
    all.targets.tail(batch->targets.size()) = batch->targets;
  }
  return all;
}

std::unique_ptr<SampleStream> stream_of(TargetedSamples samples, Index passes) {
  return std::make_unique<RowStream>(std::make_unique<MemoryRows>(std::move(samples)),
                                     StreamOptions{.passes = passes});
}

}  // namespace choir
