#include <limits>

#include "data/stream_support.h"

namespace choir {
namespace {

TEST(MemoryStream, GivesWhatItHoldsAndAgainFromTheBeginning) {
  const Vector targets = (Vector(4) << 7, 0, 7, 3).finished();
  for (const Index count : {1, 2, 3, 4, 5, 100}) {
    const auto stream = stream_of({.samples = table(0.5), .targets = targets}, 2);
    EXPECT_EQ(stream->features(), 3);
    const TargetedSamples all = drain(*stream, count);
    EXPECT_EQ(all.samples, (Samples(3, 8) << table(0.5), table(0.5)).finished()) << count;
    EXPECT_EQ(all.targets, (Vector(8) << targets, targets).finished()) << count;
  }
}

TEST(MemoryStream, IsWhatTheRestOfAStreamBecomes) {
  const Vector targets = (Vector(4) << 7, 0, 7, 3).finished();
  const auto stream = stream_of({.samples = table(0.5), .targets = targets});
  stream->next(1);
  const TargetedSamples rest = rest_of(*stream);
  EXPECT_EQ(rest.samples, table(0.5).rightCols(3));
  EXPECT_EQ(rest.targets, targets.tail(3));
  EXPECT_EQ(rest_of(*stream).samples.cols(), 0);
  EXPECT_EQ(rest_of(*stream_of({.samples = table(0), .targets = {}})).targets.size(), 0);
}

TEST(MemoryStream, MayBeEmptyOrWithoutTargets) {
  EXPECT_FALSE(stream_of({.samples = Samples(3, 0), .targets = {}}, 5)->next(1));
  EXPECT_EQ(drain(*stream_of({.samples = table(0), .targets = {}}), 3).targets.size(), 0);
}

TEST(MemoryStream, RefusesTargetsThatDoNotFitAndNumbersThatAreNone) {
  const auto open = [] { stream_of({.samples = table(0), .targets = Vector::Zero(3)}); };
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, open), HasSubstr("4 samples have 3 targets"));
  Samples samples = table(0);
  samples(1, 2) = std::numeric_limits<double>::quiet_NaN();
  const auto stream = stream_of({.samples = samples, .targets = {}});
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { drain(*stream, 2); }),
              HasSubstr("row 3, column 2 is NaN"));
}

}  // namespace
}  // namespace choir
