#include "choir/data/targeted_rows.h"

#include <cmath>

#include "data/stream_support.h"

#include "choir/codec/npy.h"
#include "choir/data/csv_stream.h"
#include "choir/data/idx_stream.h"
#include "choir/data/npy_stream.h"

namespace choir {
namespace {

std::unique_ptr<RowSource> csv(const TextFile& file) { return open_csv_rows(file.window(), {}); }

TEST(TargetedRows, ReadsBothSideBySide) {
  const auto rows = with_targets(open_npy_rows(fixture("float64.npy")), open_idx_rows(fixture("labels.idx")));
  ASSERT_TRUE(rows->has_targets());
  for (int pass = 0; pass < 2; ++pass) {
    rows->skip(1);
    const TargetedSamples all = rows_of(*rows);
    EXPECT_EQ(all.samples, table(0.5).rightCols(3));
    EXPECT_EQ(all.targets, (Vector(3) << 0, 7, 3).finished());
    rows->rewind();
  }
}

TEST(TargetedRows, RefusesOtherLengthsAtOnceWhereBothAreKnown) {
  const auto pair = [] {
    with_targets(open_npy_rows(fixture("cube.npy")), open_idx_rows(fixture("labels.idx")));
  };
  EXPECT_THAT(sentence(ErrorCategory::BadData, pair),
              AllOf(HasSubstr("labels.idx has 4 targets"), HasSubstr("cube.npy has 2 samples")));
}

TEST(TargetedRows, RefusesOtherLengthsAtTheEndOtherwise) {
  const TextFile two("1,2\n3,4\n", "two.csv");
  const TextFile three("1\n2\n3\n", "three.csv");
  const TextFile one("1\n", "one.csv");
  const auto read = [](const TextFile& samples, const TextFile& targets) {
    return sentence(ErrorCategory::BadData, [&] { rows_of(*with_targets(csv(samples), csv(targets))); });
  };
  EXPECT_THAT(read(two, three), HasSubstr("three.csv has more targets than"));
  EXPECT_THAT(read(two, one), AllOf(HasSubstr("one.csv has only 1 targets"), HasSubstr("two.csv continues")));
  const auto skip = [&] { with_targets(csv(two), csv(three))->skip(5); };
  EXPECT_THAT(sentence(ErrorCategory::BadData, skip), HasSubstr("three.csv has more targets"));
}

TEST(TargetedRows, RefusesTargetsThatAreNotOneNumber) {
  const auto pair = [] {
    with_targets(open_npy_rows(fixture("cube.npy")), open_npy_rows(fixture("cube.npy")));
  };
  EXPECT_THAT(sentence(ErrorCategory::BadData, pair), HasSubstr("12 numbers per row"));
  const TemporaryFolder folder;
  const std::vector<std::byte> bytes =
      encode_npy(from_doubles(std::vector<double>{1, 2, std::nan(""), 4}, {4}));
  write_file_atomically(folder / "t.npy", bytes);
  const auto rows = with_targets(open_npy_rows(fixture("float64.npy")), open_npy_rows(folder / "t.npy"));
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { rows_of(*rows); }), HasSubstr("t.npy: row 3 is NaN"));
}

// Whichever side is bad, both go on at the next row.
TEST(TargetedRows, GoesOnBehindABadRow) {
  const TextFile samples("1\nx\n3\n4\n", "samples.csv");
  const TextFile targets("10\n20\ny\n40\n", "targets.csv");
  const auto rows = with_targets(csv(samples), csv(targets));
  std::vector<double> row(1), target(1);
  const auto read = [&] { return rows->read(1, row, target); };
  EXPECT_EQ(read(), 1);
  EXPECT_THROW(read(), BadRow);
  EXPECT_THROW(read(), BadRow);
  EXPECT_EQ(read(), 1);
  EXPECT_EQ(row[0], 4);
  EXPECT_EQ(target[0], 40);
  EXPECT_EQ(read(), 0);
}

}  // namespace
}  // namespace choir
