// What the tests of streams share.
#pragma once

#include <memory>

#include "data/support.h"

#include "choir/data/row_source.h"
#include "choir/data/stream.h"
#include "choir/data/text_window.h"

namespace choir {

// Everything that is left, in batches of at most `count`. Every batch but the last is full.
inline TargetedSamples drain(SampleStream& stream, Index count) {
  TargetedSamples all{.samples = Samples(stream.features(), 0), .targets = {}};
  Index last = count;
  while (const auto batch = stream.next(count)) {
    EXPECT_EQ(last, count) << "a batch in the middle was not full";
    last = batch->samples.cols();
    const Index before = all.samples.cols();
    all.samples.conservativeResize(Eigen::NoChange, before + last);
    all.samples.rightCols(last) = batch->samples;
    if (batch->targets.size() == 0) continue;
    EXPECT_EQ(batch->targets.size(), last);
    all.targets.conservativeResize(before + last);
    all.targets.tail(last) = batch->targets;
  }
  EXPECT_FALSE(stream.next(1)) << "the end is not the end";
  return all;
}

// All rows of a source, as read() gives them.
inline TargetedSamples rows_of(RowSource& source, Index at_most = 1000) {
  TargetedSamples all{.samples = Samples(source.features(), at_most), .targets = Vector(at_most)};
  const Index got = source.read(at_most, {all.samples.data(), static_cast<std::size_t>(all.samples.size())},
                                {all.targets.data(), static_cast<std::size_t>(at_most)});
  all.samples.conservativeResize(Eigen::NoChange, got);
  all.targets.conservativeResize(source.has_targets() ? got : 0);
  return all;
}

// A text in a file of its own, as the streams of text want it.
class TextFile {
 public:
  explicit TextFile(std::string_view text, std::string_view name = "x.csv") : path_(folder_ / name) {
    write_file_atomically(path_, text);
  }

  std::string source() const { return path_.string(); }
  TextWindow window() const { return TextWindow(FileReader(path_)); }

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_;
};

}  // namespace choir
