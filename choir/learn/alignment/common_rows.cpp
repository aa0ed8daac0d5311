#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "choir/base/error.h"
#include "choir/learn/alignment/alignment.h"
#include "choir/learn/alignment/blinded_set.h"
#include "choir/learn/alignment/key_counts.h"
#include "choir/runtime/blocks/ring.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

using Keys = std::vector<std::string>;

// By row, not by name: what a node program throws is told to the other parties.
void refuse_repeated_keys(NodeId node, const Keys& keys) {
  std::map<std::string_view, std::size_t> rows;
  for (std::size_t n = 0; n < keys.size(); ++n) {
    const auto [first, is_new] = rows.emplace(keys[n], n);
    if (is_new) continue;
    fail(ErrorCategory::BadData,
         "samples {} and {} of node {} have the same key; every sample needs its own key", first->second + 1,
         n + 1, node);
  }
}

// What a node did to a set that passed it, so that marks can go the same way back.
struct Passage {
  NodeId owner = 0;
  std::vector<Index> places = {};  // sort_points()
};

Passage blind_and_sort(const Node& node, Ring& ring, const Blinding& blinding, BlindedSet& set) {
  constexpr std::size_t between_signs = 4096;  // a fraction of a second
  const std::span<Point> points = set.points;
  for (std::size_t first = 0; first < points.size(); first += between_signs) {
    blinding.blind(points.subspan(first, std::min(between_signs, points.size() - first)), node.threads());
    ring.still_here();
  }
  return {.owner = set.owner, .places = sort_points(set.points)};
}

// The own set, blinded by every party. `passages`: of all sets at this node, in the order of the steps.
Task<BlindedSet> blinded_by_all(Node& node, Ring& ring, BlindedSet own, std::vector<Index> counts,
                                std::vector<Passage>& passages) {
  const Blinding blinding = Blinding::fresh();
  BlindedSet set = std::move(own);
  for (Index step = 0; step < node.network_size(); ++step) {
    passages.push_back(blind_and_sort(node, ring, blinding, set));
    const Message mine = to_message(set);
    const Message received = co_await ring.forward(mine);
    set = to_blinded_set(received, counts);
  }
  co_return set;
}

// Back the way the set came: who passed it on last is the first to undo its order.
Task<Marks> marks_of_own(Node& node, Ring& ring, Marks own, std::vector<Passage> passages) {
  Marks marks = std::move(own);
  for (Index step = node.network_size() - 1; step >= 0; --step) {
    const Passage& passage = passages[static_cast<std::size_t>(step)];
    const Message mine = to_message(marks);
    const Message received = co_await ring.backward(mine);
    marks = unsorted(to_marks(received, passage.owner, std::ssize(passage.places)), passage.places);
  }
  co_return marks;
}

std::vector<Index> marked_rows(const Marks& marks, const Keys& keys) {
  std::vector<Index> rows;
  for (std::size_t row = 0; row < marks.marked.size(); ++row) {
    if (marks.marked[row]) rows.push_back(static_cast<Index>(row));
  }
  std::ranges::sort(rows, {},
                    [&](Index row) -> const std::string& { return keys[static_cast<std::size_t>(row)]; });
  return rows;
}

}  // namespace

Task<std::vector<Index>> common_rows(Node& node, Keys keys, Index max_keys) {
  refuse_repeated_keys(node.id(), keys);
  std::vector<Index> counts = co_await key_counts(node, std::ssize(keys), max_keys);
  BlindedSet own{.owner = node.id(), .points = points_of("key of a sample", keys, node.threads())};
  Ring ring(node, Kind::identifiers);
  std::vector<Passage> passages;
  const BlindedSet by_all = co_await blinded_by_all(node, ring, std::move(own), counts, passages);
  const Message mine = to_message(by_all);
  const Combine combine = common_points;
  const Message common = co_await tree_fold(node, node.tree(), mine, combine);
  Marks travelling = marks_of(by_all, common);
  const Marks marks = co_await marks_of_own(node, ring, std::move(travelling), std::move(passages));
  co_return marked_rows(marks, keys);
}

}  // namespace choir
