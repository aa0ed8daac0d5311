#include "choir/learn/alignment/order_comparison.h"

#include <utility>

#include "choir/base/error.h"
#include "choir/crypto/blinding.h"
#include "choir/learn/alignment/records.h"
#include "choir/runtime/blocks/tree_answer.h"

namespace choir {
namespace {

using Keys = std::vector<std::string>;

constexpr Index point_in_words = words_in(sizeof(Point));
constexpr Index record_words = 1 + point_in_words;  // whose, and the point

Point blinded(const Blinding& blinding, Point point) {
  blinding.blind({&point, 1}, 1);
  return point;
}

Point order_point(const Keys& keys) { return point_of("order of samples", keys); }

Message own_record(NodeId node, const Keys& keys, const Blinding& own) {
  Words record(record_words, keys.empty() ? 0 : 1);
  if (!keys.empty()) record << node, words_of(blinded(own, order_point(keys)));
  return table_message(std::move(record)).as(Kind::identifiers);
}

Message answered(const Message& records, const Keys& keys) {
  const Blinding own = Blinding::fresh();
  Words twice = table_of(records, record_words);
  for (Index i = 0; i < twice.cols(); ++i) {
    const auto point = bytes_of<Point>(twice.col(i).tail(point_in_words));
    twice.col(i).tail(point_in_words) = words_of(blinded(own, point));
  }
  Message message = table_message(std::move(twice)).as(Kind::identifiers);
  message.array(Array(words_of(blinded(own, order_point(keys)))));
  return message;
}

Point roots_point(const Message& answer) {
  const WordsView words = answer.array(1).integers();
  if (words.rows() != point_in_words || words.cols() != 1) {
    throw Error(ErrorCategory::BadData,
                "node 0's order arrived in another form; check that all nodes run the same choir");
  }
  return bytes_of<Point>(words.col(0));
}

bool is_the_same(NodeId node, const Message& answer, const Blinding& own) {
  const WordsView records = table_of(answer, record_words);
  for (Index i = 0; i < records.cols(); ++i) {
    if (records(0, i) != node) continue;
    return bytes_of<Point>(records.col(i).tail(point_in_words)) == blinded(own, roots_point(answer));
  }
  fail(ErrorCategory::PeerLost,
       "node {} cannot compare its order of samples with node 0's: its message was lost on the way; start "
       "the run again",
       node);
}

}  // namespace

Task<bool> has_order_of_root(Node& node, Keys keys) {
  const Blinding own = Blinding::fresh();
  const Message mine = own_record(node.id(), keys, own);
  const Combine combine = side_by_side<record_words>;
  const RootAnswer answer = [&keys](const Message& records) { return answered(records, keys); };
  const Message received = co_await tree_answer(node, node.tree(), mine, combine, answer, Kind::identifiers);
  co_return !keys.empty() && is_the_same(node.id(), received, own);
}

}  // namespace choir
