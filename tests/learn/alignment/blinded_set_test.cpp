#include "choir/learn/alignment/blinded_set.h"

#include <algorithm>
#include <numeric>

#include "graph/expect_error.h"
#include "learn/alignment/support.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"

namespace choir {
namespace {

std::vector<Point> some_points(Index count, std::string_view purpose = "test") {
  return points_of(purpose, patients(count), 1);
}

BlindedSet sorted_set(NodeId owner, std::vector<Point> points) {
  sort_points(points);
  return {.owner = owner, .points = std::move(points)};
}

TEST(SortPoints, SaysWhereTheyWere) {
  const std::vector<Point> before = some_points(50);
  std::vector<Point> after = before;
  const std::vector<Index> places = sort_points(after);
  EXPECT_TRUE(std::ranges::is_sorted(after));
  for (std::size_t i = 0; i < after.size(); ++i)
    EXPECT_EQ(after[i], before[static_cast<std::size_t>(places[i])]);
}

TEST(BlindedSet, ArrivesAsItWasSent) {
  for (const Index size : {Index{0}, Index{1}, Index{70}}) {
    const BlindedSet set = sorted_set(1, some_points(size));
    const BlindedSet same = to_blinded_set(to_message(set), {3, size});
    EXPECT_EQ(same.owner, 1);
    EXPECT_EQ(same.points, set.points);
    EXPECT_EQ(to_message(set).kind(), Kind::identifiers);
  }
}

TEST(BlindedSet, RefusesAnythingElse) {
  const Message message = to_message(sorted_set(1, some_points(4)));
  const auto refused = [](const Message& other, const std::vector<Index>& sizes,
                          std::initializer_list<const char*> words) {
    expect_error(ErrorCategory::BadData, words, [&] { to_blinded_set(other, sizes); });
  };
  refused(message, {4}, {"keys of node 1 arrived, but nodes are 0 to 0"});
  refused(message, {4, 3}, {"4 blinded keys of node 1", "announced 3"});
  refused(message, {4, 5}, {"4 blinded keys of node 1", "announced 5"});
  refused(to_message(BlindedSet{-1, {}}), {0, 0}, {"node -1"});
  refused(to_message(BlindedSet{0, {some_points(1)[0], some_points(1)[0]}}), {2}, {"twice or out of order"});
  std::vector<Point> descending = sorted_set(0, some_points(4)).points;
  std::ranges::reverse(descending);
  refused(to_message(BlindedSet{0, descending}), {4}, {"twice or out of order"});
}

TEST(CommonPoints, AreThoseOfBothAndMarkedAsSuch) {
  std::vector<Point> first = some_points(40);
  std::vector<Point> second(first.begin() + 10, first.end());
  const std::vector<Point> others = some_points(20, "others");
  second.insert(second.end(), others.begin(), others.end());
  const BlindedSet set = sorted_set(0, first);
  const Message common = common_points(to_message(set), to_message(sorted_set(1, second)));
  const Marks marks = marks_of(set, common);
  EXPECT_EQ(std::ranges::count(marks.marked, true), 30);
  for (std::size_t i = 0; i < set.points.size(); ++i) {
    EXPECT_EQ(marks.marked[i], std::ranges::count(second, set.points[i]) == 1);
  }
  expect_error(ErrorCategory::BadData, {"not all parties have"},
               [&] { marks_of(sorted_set(0, others), common); });
}

TEST(Marks, GoBackThroughAnyOrder) {
  std::vector<Point> points = some_points(30);
  const std::vector<Point> before = points;
  const std::vector<Index> places = sort_points(points);
  Marks marks{.owner = 2, .marked = {}};
  for (const Point& point : points) marks.marked.push_back(point < some_points(1)[0]);
  const Marks undone = unsorted(marks, places);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(undone.marked[i], before[i] < some_points(1)[0]);
  EXPECT_EQ(undone.owner, 2);
}

TEST(Marks, ArriveAsTheyWereSent) {
  for (const Index size : {0, 1, 63, 64, 65, 200}) {
    Marks marks{.owner = 3, .marked = {}};
    Rng rng(1, Purpose("marks"), static_cast<std::uint64_t>(size));
    for (Index i = 0; i < size; ++i) marks.marked.push_back(rng.below(2) == 1);
    EXPECT_EQ(to_marks(to_message(marks), 3, size).marked, marks.marked) << size;
  }
  const Message message = to_message(Marks{.owner = 3, .marked = std::vector<bool>(70)});
  expect_error(ErrorCategory::BadData, {"keys of node 3", "node 2 were expected"},
               [&] { to_marks(message, 2, 70); });
  expect_error(ErrorCategory::BadData, {"2 words per record instead of 1"},
               [&] { to_marks(message, 3, 64); });
}

}  // namespace
}  // namespace choir
