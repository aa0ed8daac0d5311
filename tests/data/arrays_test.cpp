#include "choir/data/arrays.h"

#include <array>
#include <cmath>
#include <limits>

#include "data/support.h"
#include <gmock/gmock.h>

namespace choir {
namespace {

constexpr std::uint64_t plenty = 1u << 20;

TEST(TableShape, FlattensAfterTheFirstDimension) {
  const std::array<Index, 3> shape = {2, 3, 4};
  const TableShape table = table_shape(shape, "x", plenty);
  EXPECT_EQ(table.samples, 2);
  EXPECT_EQ(table.features, 12);
}

TEST(TableShape, TakesAVectorAsSamplesOfOneFeature) {
  const std::array<Index, 1> shape = {5};
  const TableShape table = table_shape(shape, "x", plenty);
  EXPECT_EQ(table.samples, 5);
  EXPECT_EQ(table.features, 1);
}

TEST(TableShape, RefusesWhatHasNoElements) {
  const std::array<Index, 2> shape = {4, 0};
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { table_shape(shape, "x.npy", plenty); }),
              AllOf(HasSubstr("x.npy"), HasSubstr("no data"), HasSubstr("4 x 0")));
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { table_shape({}, "x.npy", plenty); }),
              HasSubstr("single number"));
}

TEST(TableShape, RefusesAbsurdSizesEvenIfTheirProductOverflows) {
  const Index huge = Index{1} << 40;
  const std::array<Index, 3> shape = {huge, huge, huge};
  EXPECT_THAT(sentence(ErrorCategory::OutOfMemory, [&] { table_shape(shape, "x.npy", plenty); }),
              AllOf(HasSubstr("x.npy"), HasSubstr("1.0 MiB")));
  const std::array<Index, 2> just_too_large = {131073, 1};  // 2^20 bytes hold 131072 doubles
  EXPECT_THROW(table_shape(just_too_large, "x", plenty), Error);
  const std::array<Index, 2> fits = {131072, 1};
  EXPECT_NO_THROW(table_shape(fits, "x", plenty));
}

TEST(ToSamples, RefusesBytesThatDoNotMatchTheShape) {
  const std::array<std::byte, 5> bytes{};
  const NpyView view{.type = ElementType::uint8, .shape = {2, 3}, .fortran_order = false, .bytes = bytes};
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { to_samples(view, "x.idx", plenty); }),
              AllOf(HasSubstr("truncated"), HasSubstr("5 bytes"), HasSubstr("need 6")));
}

TEST(CheckFinite, NamesRowAndColumnFromOne) {
  Samples samples = Samples::Zero(3, 4);
  EXPECT_NO_THROW(check_finite(samples, "x"));
  samples(1, 2) = std::numeric_limits<double>::quiet_NaN();
  samples(0, 3) = std::numeric_limits<double>::infinity();
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { check_finite(samples, "x.npy"); }),
              HasSubstr("x.npy: row 3, column 2 is NaN"));
  samples(1, 2) = 0;
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { check_finite(samples, "x.npy"); }),
              HasSubstr("row 4, column 1 is infinite"));
}

TEST(ToWholeNumber, TakesNothingElse) {
  EXPECT_EQ(to_whole_number(-3.0, [] { return std::string(); }), -3);
  for (const double bad :
       {0.5, std::nan(""), 1e300, 9007199254740992.0, -std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT(sentence(ErrorCategory::BadData,
                         [&] { to_whole_number(bad, [] { return std::string("x.csv: row 2"); }); }),
                AllOf(HasSubstr("x.csv: row 2"), HasSubstr("integers")));
  }
}

TEST(MemoryBudget, IsWhatIsFreeUnlessSaid) {
  EXPECT_EQ(memory_budget(5), 5u);
  EXPECT_GT(memory_budget(0), plenty);
}

}  // namespace
}  // namespace choir
