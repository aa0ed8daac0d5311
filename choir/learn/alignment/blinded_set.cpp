#include "choir/learn/alignment/blinded_set.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <numeric>
#include <utility>

#include "choir/base/error.h"
#include "choir/runtime/blocks/secure_sum/words.h"

namespace choir {
namespace {

constexpr Index point_words = words_in(sizeof(Point));
constexpr Index marks_per_word = 64;

Message identifiers(Words table, NodeId owner) {
  Message message = table_message(std::move(table)).as(Kind::identifiers);
  message.integer(owner);
  return message;
}

std::vector<Point> points_in(const Message& message) {
  const WordsView table = table_of(message, point_words);
  std::vector<Point> points(static_cast<std::size_t>(table.cols()));
  if (!points.empty()) std::memcpy(points.data(), table.data(), points.size() * sizeof(Point));
  if (std::ranges::adjacent_find(points, std::ranges::greater_equal()) != points.end()) {
    throw Error(ErrorCategory::BadData,
                "blinded keys arrived twice or out of order; check that all nodes run the same choir");
  }
  return points;
}

}  // namespace

std::vector<Index> sort_points(std::vector<Point>& points) {
  std::vector<Index> places(points.size());
  std::iota(places.begin(), places.end(), Index{0});
  std::ranges::sort(places, {}, [&](Index i) -> const Point& { return points[static_cast<std::size_t>(i)]; });
  std::ranges::sort(points);
  return places;
}

Message to_message(const BlindedSet& set) {
  Words table(point_words, std::ssize(set.points));
  if (!set.points.empty()) std::memcpy(table.data(), set.points.data(), set.points.size() * sizeof(Point));
  return identifiers(std::move(table), set.owner);
}

BlindedSet to_blinded_set(const Message& message, const std::vector<Index>& sizes) {
  const std::int64_t owner = message.integer(0);
  if (owner < 0 || owner >= std::ssize(sizes)) {
    fail(ErrorCategory::BadData, "blinded keys of node {} arrived, but nodes are 0 to {}", owner,
         sizes.size() - 1);
  }
  BlindedSet set{.owner = static_cast<NodeId>(owner), .points = points_in(message)};
  if (const Index announced = sizes[static_cast<std::size_t>(owner)]; std::ssize(set.points) != announced) {
    fail(ErrorCategory::BadData, "{} blinded keys of node {} arrived, but it announced {}", set.points.size(),
         owner, announced);
  }
  return set;
}

Message common_points(const Message& mine, const Message& child) {
  BlindedSet both;
  std::ranges::set_intersection(points_in(mine), points_in(child), std::back_inserter(both.points));
  return to_message(both);
}

Marks marks_of(const BlindedSet& set, const Message& common_message) {
  const std::vector<Point> common = points_in(common_message);
  if (!std::ranges::includes(set.points, common)) {
    throw Error(
        ErrorCategory::BadData,
        "a key that not all parties have arrived as a common key; check that all nodes run the same choir");
  }
  Marks marks{.owner = set.owner};
  for (const Point& point : set.points) marks.marked.push_back(std::ranges::binary_search(common, point));
  return marks;
}

Marks unsorted(const Marks& marks, const std::vector<Index>& places) {
  Marks before{.owner = marks.owner, .marked = std::vector<bool>(places.size())};
  for (std::size_t i = 0; i < places.size(); ++i) {
    before.marked[static_cast<std::size_t>(places[i])] = marks.marked[i];
  }
  return before;
}

Message to_message(const Marks& marks) {
  const Index size = std::ssize(marks.marked);
  Words words = Words::Zero((size + marks_per_word - 1) / marks_per_word, 1);
  for (Index i = 0; i < size; ++i) {
    const std::uint64_t bit = marks.marked[static_cast<std::size_t>(i)] ? 1 : 0;
    words(i / marks_per_word) |= static_cast<std::int64_t>(bit << (i % marks_per_word));
  }
  return identifiers(std::move(words), marks.owner);
}

Marks to_marks(const Message& message, NodeId owner, Index size) {
  const WordsView words = table_of(message, (size + marks_per_word - 1) / marks_per_word);
  if (message.integer(0) != owner || words.cols() != 1) {
    fail(ErrorCategory::BadData, "marks for the keys of node {} arrived where those of node {} were expected",
         message.integer(0), owner);
  }
  Marks marks{.owner = owner};
  for (Index i = 0; i < size; ++i) {
    const auto word = static_cast<std::uint64_t>(words(i / marks_per_word, 0));
    marks.marked.push_back((word >> (i % marks_per_word) & 1) != 0);
  }
  return marks;
}

}  // namespace choir
