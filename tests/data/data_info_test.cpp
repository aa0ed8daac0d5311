#include "choir/data/data_info.h"

#include <limits>

#include "data/support.h"

namespace choir {
namespace {

using ::testing::Pair;

TEST(Describe, CountsWhatIsThere) {
  Dataset dataset;
  dataset.samples = (Samples(2, 4) << 1, 5, -2, 0, 3, 3, 3, 3).finished();
  dataset.labels = {1, 0, 1, 1};
  dataset.source = "x.npy";
  dataset.type = "int8";
  const DataInfo info = describe(dataset);
  EXPECT_EQ(info.source, "x.npy");
  EXPECT_EQ(info.type, "int8");
  EXPECT_EQ(info.samples, 4);
  EXPECT_EQ(info.features, 2);
  EXPECT_EQ(info.minimum, -2);
  EXPECT_EQ(info.maximum, 5);
  EXPECT_EQ(info.mean, 2);
  EXPECT_EQ(info.nan_count, 0);
  EXPECT_EQ(info.infinite_count, 0);
  EXPECT_EQ(info.constant_features, 1);
  EXPECT_THAT(info.label_counts, ElementsAre(Pair(0, 1), Pair(1, 3)));
}

TEST(Describe, LooksPastWhatIsNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  Dataset dataset;
  dataset.samples = (Samples(1, 5) << nan, 2, -infinity, nan, 4).finished();
  const DataInfo info = describe(dataset);
  EXPECT_EQ(info.nan_count, 2);
  EXPECT_EQ(info.infinite_count, 1);
  EXPECT_EQ(info.minimum, 2);
  EXPECT_EQ(info.maximum, 4);
  EXPECT_EQ(info.mean, 3);
  EXPECT_THAT(info.label_counts, IsEmpty());
  dataset.samples.setConstant(nan);
  EXPECT_FALSE(describe(dataset).minimum);
}

}  // namespace
}  // namespace choir
