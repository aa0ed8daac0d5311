#include <limits>

#include "report/times_in.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/report/chart.h"

namespace choir {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::times_in;

RegionChart plane() {
  return {.title = "plane",
          .x = {.title = "x1", .from = -1, .to = 1},
          .y = {.title = "x2", .from = 0, .to = 1},
          .regions = {"left < right", "right"},
          .columns = 4,
          .cells = {0, 0, 1, 1,   //
                    0, 1, 1, 1},  // the upper row
          .dots = {{.name = "", .x = {-0.5, 3}, .y = {0.5, 0.5}, .region = 1},
                   {.name = "atoms", .x = {0.5}, .y = {1.0}, .style = DotStyle::hollow}}};
}

TEST(RegionChart, DrawsNeighboursOfOneRegionAsOneRectangleFromBelow) {
  const std::string svg = to_svg(plane());
  EXPECT_EQ(times_in(svg, "<rect"), 1u + 2u + 4u) << "background, legend, two pieces in each of two rows";
  // The plot is 500 pixels wide from 74 on, and 320 high from 44 on.
  EXPECT_THAT(svg, HasSubstr("<rect x=\"74\" y=\"204\" width=\"250\" height=\"160\" fill=\"#b2d4e7\"/>"));
  EXPECT_THAT(svg, HasSubstr("<rect x=\"74\" y=\"44\" width=\"125\" height=\"160.5\" fill=\"#b2d4e7\"/>"));
}

TEST(RegionChart, PutsDotsWhereTheyBelongAndLeavesOutThoseBeyondTheEnds) {
  const std::string svg = to_svg(plane());
  EXPECT_EQ(times_in(svg, "r=\"1.5\""), 1u);
  EXPECT_THAT(svg, HasSubstr("<circle cx=\"199\" cy=\"204\" r=\"1.5\" fill=\"#d55e00\"/>"));
  EXPECT_THAT(svg, HasSubstr("<circle cx=\"449\" cy=\"44\" r=\"4\" fill=\"none\""));
  EXPECT_EQ(times_in(svg, "fill=\"none\""), 2u) << "the ring and the legend's";
}

TEST(RegionChart, NamesRegionsAndDotsThatHaveNames) {
  const std::string svg = to_svg(plane());
  EXPECT_THAT(svg, HasSubstr(">left &lt; right<"));
  EXPECT_THAT(svg, HasSubstr(">atoms<"));
}

TEST(RegionChart, NeedsNoCells) {
  RegionChart dots = plane();
  dots.cells.clear();
  EXPECT_THAT(to_svg(dots), Not(HasSubstr("#b2d4e7")));
  dots.dots[0].x[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(to_svg(dots), Not(HasSubstr("nan")));
}

TEST(RegionChart, StaysSmall) {
  RegionChart fine = plane();
  fine.columns = 200;
  fine.cells.clear();
  for (std::size_t cell = 0; cell < 200 * 128; ++cell) fine.cells.push_back(cell % 200 / 20 % 2);
  EXPECT_LT(to_svg(fine).size(), 150'000u) << "ten pieces a row";
}

TEST(RegionChart, RefusesWhatDoesNotFitTogether) {
  RegionChart chart = plane();
  chart.cells.pop_back();
  EXPECT_THROW(to_svg(chart), Error) << "rows of different length";
  chart = plane();
  chart.cells[0] = 2;
  EXPECT_THROW(to_svg(chart), Error) << "a region without a name";
  chart = plane();
  chart.dots[0].y.pop_back();
  EXPECT_THROW(to_svg(chart), Error);
  chart = plane();
  chart.x.to.reset();
  EXPECT_THROW(to_svg(chart), Error) << "cells that lie nowhere";
}

}  // namespace
}  // namespace choir
