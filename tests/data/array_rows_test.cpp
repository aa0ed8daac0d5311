#include "choir/data/array_rows.h"

#include "data/stream_support.h"

namespace choir {
namespace {

// 0, 1, 2, ... as bytes behind a header of three.
std::string counting(std::size_t count) {
  std::string bytes = "abc";
  for (std::size_t i = 0; i < count; ++i) bytes += static_cast<char>(i % 100);
  return bytes;
}

std::unique_ptr<RowSource> open(const TextFile& file, std::vector<Index> shape) {
  return open_array_rows(UnpackingReader(FileReader(file.source())),
                         {.type = ElementType::uint8, .shape = std::move(shape), .offset = 3});
}

TEST(ArrayRows, GoesToAnyRow) {
  const TextFile file(counting(30));
  const auto rows = open(file, {10, 3});
  EXPECT_EQ(rows->features(), 3);
  EXPECT_EQ(rows->rows(), 10u);
  for (int pass = 0; pass < 2; ++pass) {
    EXPECT_EQ(rows->skip(4), 4u);
    EXPECT_EQ(rows_of(*rows, 2).samples, (Samples(3, 2) << 12, 15, 13, 16, 14, 17).finished());
    EXPECT_EQ(rows->skip(3), 3u);
    EXPECT_EQ(rows_of(*rows).samples, (Samples(3, 1) << 27, 28, 29).finished());
    EXPECT_EQ(rows->skip(1), 0u);
    rows->rewind();
  }
}

TEST(ArrayRows, ReadsMoreThanItsBuffer) {
  const TextFile file(counting(4'000'000));
  const auto rows = open(file, {1'000'000, 4});
  const Samples samples = rows_of(*rows, 1'000'000).samples;
  ASSERT_EQ(samples.cols(), 1'000'000);
  for (Index i = 0; i < samples.size(); i += 997)
    ASSERT_EQ(samples.data()[i], static_cast<double>(i % 100)) << i;
}

TEST(ArrayRows, RefusesAFileOfAnotherLength) {
  const TextFile file(counting(30));
  const auto refusal = [&](std::vector<Index> shape) {
    return sentence(ErrorCategory::BadData, [&] { open(file, std::move(shape)); });
  };
  EXPECT_THAT(refusal({10, 4}),
              AllOf(HasSubstr("30 bytes of data"), HasSubstr("10 x 4 uint8 numbers need 40")));
  EXPECT_THAT(refusal({9, 3}), HasSubstr("need 27"));
  EXPECT_THAT(refusal({0, 3}), HasSubstr("no data"));
  EXPECT_THAT(sentence(ErrorCategory::OutOfMemory,
                       [&] {
                         open(file, {1, Index{1} << 59});
                       }),
              HasSubstr("x.csv"));
}

TEST(ArrayRows, SaysSoIfTheFileIsCutWhileItIsRead) {
  const TextFile file(counting(30));
  const auto rows = open(file, {10, 3});
  std::filesystem::resize_file(file.source(), 10);
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { rows_of(*rows); }),
              HasSubstr("ends within rows 1 to 10"));
}

}  // namespace
}  // namespace choir
