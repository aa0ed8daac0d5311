#include "choir/report/chart.h"

#include <limits>

#include "report/times_in.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/report/svg.h"

namespace choir {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::times_in;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

LineChart lines() {
  return {.title = "similarity",
          .x = {.title = "nodes"},
          .y = {.title = "similarity < 1"},
          .series = {{.name = "own & best", .x = {10, 20, 40, 80}, .y = {0.95, 0.94, nothing, 0.9}},
                     {.name = "printed", .x = {80}, .y = {0.912}, .style = SeriesStyle::points}}};
}

BarChart bars() {
  return {.title = "steps",
          .groups = {"2", "4"},
          .bars = {{.name = "first", .heights = {0.5, 0.6}}, {.name = "second", .heights = {0.7, nothing}}},
          .lines = {{.name = "gathered", .heights = {0.65, 0.8}}}};
}

TEST(LineChart, DrawsEverySeriesAndNamesIt) {
  const std::string svg = to_svg(lines());
  EXPECT_THAT(svg, HasSubstr("own &amp; best"));
  EXPECT_THAT(svg, HasSubstr("similarity &lt; 1"));
  EXPECT_THAT(svg, HasSubstr(">printed<"));
  EXPECT_EQ(times_in(svg, "<polyline"), 1u) << "points alone have no line, nor has a single point";
  EXPECT_EQ(times_in(svg, "<circle"), 4u) << "three measured points and the legend's";
}

TEST(LineChart, LeavesOutWhatHasNoPlace) {
  LineChart chart = lines();
  chart.series[0].low = {0.9, nothing, nothing, 0.8};
  chart.series[0].high = {0.96, 0.95, nothing, 0.95};
  EXPECT_THAT(to_svg(chart), Not(HasSubstr("nan")));
  chart.y.logarithmic = true;
  chart.series[0].y[0] = 0;
  EXPECT_THAT(to_svg(chart), Not(HasSubstr("inf")));
}

TEST(LineChart, IsDrawnWithoutAnyData) {
  EXPECT_THAT(to_svg(LineChart{.title = "empty"}), HasSubstr("empty"));
}

TEST(LineChart, MarksWhereItWasMeasured) {
  for (const std::string mark : {">10<", ">20<", ">40<", ">80<"})
    EXPECT_THAT(to_svg(lines()), HasSubstr(mark));
}

TEST(BarChart, HasABarForEveryMeasurementAndALineForEveryGroup) {
  const std::string svg = to_svg(bars());
  EXPECT_EQ(times_in(svg, "<rect"), 1 + 3 + 2u) << "background, bars, legend";
  EXPECT_THAT(svg, HasSubstr(">gathered<"));
  EXPECT_EQ(times_in(svg, "#000000"), 3u) << "two groups and the legend";
}

TEST(BarChart, TakesBarsInOrderFromLightToDark) {
  BarChart chart = bars();
  chart.in_order = true;
  EXPECT_THAT(to_svg(chart), HasSubstr("#c9dff2"));
  EXPECT_THAT(to_svg(chart), HasSubstr("#083c73"));
}

TEST(Charts, RefuseListsOfDifferentLength) {
  LineChart line = lines();
  line.series[0].y.pop_back();
  EXPECT_THROW(to_svg(line), Error);
  BarChart bar = bars();
  bar.lines[0].heights.push_back(1);
  EXPECT_THROW(to_svg(bar), Error);
  EXPECT_THROW(to_svg(BarChart{}), Error);
}

TEST(Svg, EscapesTextAndDropsWhatXmlForbids) {
  EXPECT_EQ(escape_xml("a<b>&\"c'\x01"), "a&lt;b&gt;&amp;&quot;c&apos;");
}

TEST(Svg, RefusesCoordinatesThatNoViewerDraws) {
  Svg svg(10, 10);
  EXPECT_THROW(svg.line({0, nothing}, {1, 1}, {}), Error);
}

}  // namespace
}  // namespace choir
