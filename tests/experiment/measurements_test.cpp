#include "choir/experiment/measurements.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

using ::testing::ElementsAre;

Measurements example() {
  Measurements seen("nodes");
  seen.add("20", "own", "similarity", 0.9);
  seen.add("20", "own", "similarity", 0.8);
  seen.add("10", "own", "similarity", 0.7);
  seen.add("10", "printed", "similarity", 0.5);
  seen.add("10", "own", "seconds", 2);
  seen.add("many", "own", "similarity", 0.1);
  return seen;
}

TEST(Measurements, KnowMeanAndEnds) {
  const Spread spread = example().spread("20", "own", "similarity");
  EXPECT_DOUBLE_EQ(spread.mean, 0.85);
  EXPECT_EQ(spread.low, 0.8);
  EXPECT_EQ(spread.high, 0.9);
  EXPECT_EQ(spread.repeats, 2u);
  EXPECT_TRUE(std::isnan(example().spread("20", "printed", "similarity").mean));
}

TEST(Measurements, TableHasARowForEverythingMeasured) {
  EXPECT_EQ(example().table().csv(),
            "nodes,series,quantity,mean,min,max,repeats\n"
            "20,own,similarity,0.8500000000000001,0.8,0.9,2\n"
            "10,own,similarity,0.7,0.7,0.7,1\n"
            "10,printed,similarity,0.5,0.5,0.5,1\n"
            "many,own,similarity,0.1,0.1,0.1,1\n"
            "10,own,seconds,2,2,2,1\n");
}

TEST(Measurements, SummaryShowsOnlySeriesAndSettingsOfItsQuantity) {
  const DataTable seconds = example().summary("seconds");
  EXPECT_THAT(seconds.columns(), ElementsAre("seconds by nodes", "own"));
  EXPECT_EQ(seconds.rows().size(), 1u);
  EXPECT_THAT(example().summary("similarity").columns(),
              ElementsAre("similarity by nodes", "own", "printed"));
  EXPECT_THAT(example().quantities_of("own").columns(), ElementsAre("nodes", "similarity", "seconds"));
}

TEST(Measurements, LinesTakeNumbersBarsTakeAll) {
  const Series line = example().line("own", "similarity");
  EXPECT_THAT(line.x, ElementsAre(20, 10));
  EXPECT_THAT(line.low, ElementsAre(0.8, 0.7));
  EXPECT_EQ(example().bars("printed", "similarity").heights.size(), 3u);
}

}  // namespace
}  // namespace choir
