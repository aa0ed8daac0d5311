#include "choir/learn/gossip_pca/hidden_sums.h"

#include <utility>

#include "choir/base/error.h"
#include "choir/runtime/blocks/secure_sum/fixed_point.h"

namespace choir::gossip_pca {
namespace {

Message spoken_words(Kind kind, Words words) {
  Message message = spoken(Word::answer, kind);
  message.array(Array(std::move(words)));
  return message;
}

WordsView view_of(const Words& words) { return {words.data(), words.rows(), words.cols()}; }

Words beside(const Words& mine, const WordsView& theirs) {
  if (theirs.rows() != mine.rows()) {
    fail(ErrorCategory::BadData, "a table of {} rows arrived where {} were expected", theirs.rows(),
         mine.rows());
  }
  Words both(mine.rows(), mine.cols() + theirs.cols());
  both << mine, theirs;
  return both;
}

// The records of all nodes: up the tree, and down again.
Task<std::optional<Words>> tell_all(Conversation talk, Words records) {
  for (const NodeId child : talk.tree().children) {
    const std::optional<Message> theirs = co_await hear(talk, child);
    if (!theirs) co_return std::nullopt;
    records = beside(records, theirs->array(0).integers());
  }
  if (!talk.is_root()) {
    talk.tell_parent(spoken_words(Kind::control, std::move(records)));
    const std::optional<Message> all = co_await hear(talk, talk.tree().parent);
    if (!all) co_return std::nullopt;
    records = all->array(0).integers();
  }
  talk.tell_children(spoken_words(Kind::control, records));
  co_return records;
}

// The masked words of the node's subtree, on their way; the root's are all of them.
Task<std::optional<Words>> pass_up(Conversation talk, Words words) {
  for (const NodeId child : talk.tree().children) {
    const std::optional<Message> theirs = co_await hear(talk, child);
    if (!theirs) co_return std::nullopt;
    const WordsView more = theirs->array(0).integers();
    if (more.rows() != words.rows() || more.cols() != words.cols()) {
      fail(ErrorCategory::BadData,
           "node {} sent {} masked words where {} were expected; all nodes need the same features", child,
           more.size(), words.size());
    }
    add_words(span_of(words), span_of(more));
  }
  if (!talk.is_root()) talk.tell_parent(spoken_words(Kind::masked, words));
  co_return words;
}

// The total of the root, told to all.
Task<std::optional<double>> limit_of_all(Conversation talk, SecureSums sums, double largest) {
  const AnswerFormat format = AnswerFormat::of_all_doubles(sums.masks->nodes);
  Words mine(format.words(1), 1);
  format.encode(Matrix::Constant(1, 1, largest), largest_of_all_doubles, span_of(mine));
  const std::optional<Words> all = co_await pass_up(talk, hidden_words(sums, std::move(mine)));
  if (!all) co_return std::nullopt;
  double limit = 0;
  if (talk.is_root()) {
    const std::optional<Words> total = opened_words(sums, view_of(*all));
    if (!total) co_return std::nullopt;
    limit = format.decode(span_of(view_of(*total)), 1, 1)(0, 0);
  } else {
    const std::optional<Message> told = co_await hear(talk, talk.tree().parent);
    if (!told) co_return std::nullopt;
    limit = told->number(0);
  }
  Message message = spoken(Word::answer, Kind::totals);
  message.number(limit);
  talk.tell_children(message);
  co_return limit;
}

}  // namespace

Task<std::optional<SecureSums>> introduce(Conversation talk) {
  SumsOpening opening(talk.node());
  const std::optional<Words> introductions = co_await tell_all(talk, opening.introduction());
  if (!introductions) co_return std::nullopt;
  opening.learn(view_of(*introductions));
  if (opening.draws()) {
    const std::optional<Words> shares = co_await tell_all(talk, opening.share());
    if (!shares) co_return std::nullopt;
    opening.draw(view_of(*shares));
  }
  co_return std::move(opening).sums();
}

Task<std::optional<Matrix>> add_up(Conversation talk, SecureSums sums, Matrix mine) {
  const double largest = mine.size() > 0 ? mine.cwiseAbs().maxCoeff() : 0.0;
  const std::optional<double> limit = co_await limit_of_all(talk, sums, largest);
  if (!limit) co_return std::nullopt;
  const FixedPoint format = FixedPoint::for_sums_up_to(*limit);  // no total is larger
  Words words(mine.size(), 1);
  format.encode(mine, *limit, span_of(words));
  const std::optional<Words> all = co_await pass_up(talk, hidden_words(sums, std::move(words)));
  if (!all) co_return std::nullopt;
  if (!talk.is_root()) co_return Matrix();
  const std::optional<Words> total = opened_words(sums, view_of(*all));
  if (!total) co_return std::nullopt;
  co_return format.decode(span_of(view_of(*total)), mine.rows(), mine.cols());
}

}  // namespace choir::gossip_pca
