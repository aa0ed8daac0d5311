#include "choir/runtime/blocks/secure_sum/secure_sum.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "choir/base/error.h"
#include "choir/runtime/blocks/secure_sum/common_draw.h"
#include "choir/runtime/blocks/secure_sum/fixed_point.h"
#include "choir/runtime/blocks/secure_sum/largest_power.h"
#include "choir/runtime/blocks/secure_sum/partners.h"
#include "choir/runtime/blocks/secure_sum/signed_roster.h"
#include "choir/runtime/blocks/tree_answer.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

constexpr const char* purpose = "masked sums of a network";
// A node's id, its key, its commitment to a share of the draw of partners, its signature.
constexpr Index introduction_words = key_record + words_in(sizeof(Hash)) + signature_words;
constexpr Index share_words = 1 + words_in(sizeof(DrawShare));

Message tables_beside(const Message& mine, const Message& child) {
  const WordsView a = mine.array(0).integers();
  const WordsView b = table_of(child, a.rows());
  Words both(a.rows(), a.cols() + b.cols());
  both << a, b;
  return table_message(std::move(both));
}

Message words_added(const Message& mine, const Message& child) {
  Words total = mine.array(0).integers();
  const WordsView theirs = child.array(0).integers();
  if (theirs.rows() != total.rows() || theirs.cols() != total.cols()) {
    fail(ErrorCategory::BadData, "a masked summand has {} x {} words where {} x {} are expected",
         theirs.rows(), theirs.cols(), total.rows(), total.cols());
  }
  add_words(span_of(total), span_of(theirs));
  Message message(mine.kind());
  message.array(Array(std::move(total)));
  return message;
}

// Everybody's record.
Task<Message> shown_to_all(Node& node, Words record) {
  const Combine combine = tables_beside;
  const Message mine = table_message(std::move(record));
  Message all = co_await tree_fold(node, node.tree(), mine, combine);
  co_return all;
}

// 64 bits of a hash.
std::uint64_t seed_of(const Hash& drawn) {
  std::uint64_t seed = 0;
  std::memcpy(&seed, drawn.data(), sizeof seed);
  return seed;
}

Message words_to_send(SecureSums& sums, Words mine) {
  Message words(Kind::masked);
  words.array(Array(hidden_words(sums, std::move(mine))));
  return words;
}

// Of all nodes' words.
Words total_in(const SecureSums& sums, const Message& all) {
  std::optional<Words> total = opened_words(sums, all.array(0).integers());
  if (total) return *std::move(total);
  throw Error(ErrorCategory::PeerLost,
              "the masks of a sum do not cancel: a node was lost while it was on its way, or a node on the "
              "way changed it or told others different keys; nothing was unmasked; run again with the nodes "
              "that are left and trusted");
}

Task<std::vector<double>> limits_of_all(Node& node, SecureSums sums, std::vector<int> powers) {
  LargestPower search(powers);
  const Combine combine = words_added;
  const RootAnswer answer = [&sums](const Message& all) {
    const Words total = total_in(sums, all);
    Message digits(Kind::totals);
    digits.array(Array(digits_of(WordsView(total.data(), total.rows(), 1))));
    return digits;
  };
  while (!search.is_over()) {
    const Message marks = words_to_send(sums, search.marks());
    const Message told = co_await tree_answer(node, node.tree(), marks, combine, answer);
    search.learn(told.array(0).integers());
  }
  co_return search.limits();
}

// How a matrix becomes words. Where its rows are long, each has a limit of its own and its entries one word.
// Where they are short, or there is but one column, to find many limits would cost more than words do: one
// limit for all, and three words an entry, for numbers down to 2^-150 of the largest.
struct Layout {
  Index rows;
  Index columns;
  Index groups = 1;  // as many rows in each
  Index words_per_entry = 1;

  static Layout of(const Matrix& values, bool limit_is_known) {
    constexpr Index short_row = 10;
    const Layout one_group{.rows = values.rows(), .columns = values.cols()};
    if (limit_is_known) return one_group;
    if (values.cols() > short_row)
      return {.rows = values.rows(), .columns = values.cols(), .groups = values.rows()};
    return {.rows = values.rows(), .columns = values.cols(), .words_per_entry = 3};
  }

  Index rows_of_group() const { return groups == 0 ? 0 : rows / groups; }
  Index entries() const { return rows_of_group() * columns; }  // of a group
  Index words() const { return groups * entries() * words_per_entry; }
  AnswerFormat format(double limit, Index nodes) const {
    const FixedPoint coarse = FixedPoint::for_sums_up_to(static_cast<double>(nodes) * limit);
    return AnswerFormat::of_words(words_per_entry, coarse, nodes);
  }
  std::size_t begin(Index group) const {
    return static_cast<std::size_t>(group * entries() * words_per_entry);
  }

  std::vector<int> powers(const Matrix& values) const {
    std::vector<int> powers;
    for (Index group = 0; group < groups; ++group)
      powers.push_back(power_of_two_above(values.middleRows(group * rows_of_group(), rows_of_group())));
    return powers;
  }
  Words encoded(const Matrix& values, const std::vector<double>& limits, Index nodes) const {
    Words words(this->words(), 1);
    for (Index group = 0; group < groups; ++group) {
      const double limit = limits[static_cast<std::size_t>(group)];
      format(limit, nodes)
          .encode(values.middleRows(group * rows_of_group(), rows_of_group()), limit,
                  span_of(words).subspan(begin(group)));
    }
    return words;
  }
  Matrix decoded(const Words& words, const std::vector<double>& limits, Index nodes) const {
    Matrix values(rows, columns);
    const std::span<const std::int64_t> all(words.data(), static_cast<std::size_t>(words.size()));
    for (Index group = 0; group < groups; ++group) {
      values.middleRows(group * rows_of_group(), rows_of_group()) =
          format(limits[static_cast<std::size_t>(group)], nodes)
              .decode(all.subspan(begin(group)), rows_of_group(), columns);
    }
    return values;
  }
};

// A layout with its limits.
struct Encoding {
  Layout layout;
  std::vector<double> limits;
  Index nodes;

  Words encoded(const Matrix& mine) const { return layout.encoded(mine, limits, nodes); }
  Matrix decoded(const Words& total) const { return layout.decoded(total, limits, nodes); }
};

Task<Encoding> agreed_encoding(Node& node, SecureSums sums, const Matrix& mine, double limit) {
  const bool limit_is_known = limit != unknown_limit;
  Encoding encoding{
      .layout = Layout::of(mine, limit_is_known), .limits = {limit}, .nodes = sums.masks->nodes};
  if (!limit_is_known) encoding.limits = co_await limits_of_all(node, sums, encoding.layout.powers(mine));
  co_return encoding;
}

Task<std::optional<Words>> words_at_root(Node& node, SecureSums sums, Words mine) {
  const Message words = words_to_send(sums, std::move(mine));
  const Combine combine = words_added;
  const std::optional<Message> all = co_await convergecast(node, node.tree(), words, combine);
  if (!all) co_return std::nullopt;
  co_return total_in(sums, *all);
}

Task<std::optional<Matrix>> total_at_root(Node& node, SecureSums sums, Matrix mine, double limit) {
  const Encoding encoding = co_await agreed_encoding(node, sums, mine, limit);
  Words words = encoding.encoded(mine);
  const std::optional<Words> total = co_await words_at_root(node, sums, std::move(words));
  if (!total) co_return std::nullopt;
  co_return encoding.decoded(*total);
}

Task<Matrix> total_everywhere(Node& node, SecureSums sums, Matrix mine, double limit) {
  const Encoding encoding = co_await agreed_encoding(node, sums, mine, limit);
  const Message words = words_to_send(sums, encoding.encoded(mine));
  const Combine combine = words_added;
  const RootAnswer answer = [&](const Message& all) {
    Message total(Kind::totals);
    total.array(encoding.decoded(total_in(sums, all)));
    return total;
  };
  const Message told = co_await tree_answer(node, node.tree(), words, combine, answer);
  co_return told.array(0).matrix();
}

}  // namespace

SumsOpening::SumsOpening(const Node& node)
    : identity_(node.identity()), lost_peers_(node.lost_peers()), pairs_(node.id(), purpose) {}

Words SumsOpening::introduction() const {
  Words record(introduction_words - signature_words, 1);
  record << pairs_.introduction(), words_of(share_.commitment(pairs_.self()));
  return signed_record(identity_, record, purpose);
}

void SumsOpening::learn(const WordsView& table) {
  if (table.rows() != introduction_words) {
    fail(ErrorCategory::BadData,
         "introductions arrived with {} words instead of {}; check that all nodes run the same choir",
         table.rows(), introduction_words);
  }
  roster_.emplace(table, identity_, purpose, lost_peers_);
  if (std::ranges::binary_search(roster_->nodes(), pairs_.self())) return;
  fail(ErrorCategory::PeerLost,
       "node {} is not among the {} nodes whose sums are to be masked: its key was lost on the way, and its "
       "numbers would not be hidden; run again when all nodes can be reached",
       pairs_.self(), roster_->nodes().size());
}

bool SumsOpening::draws() const {
  const Index nodes = std::ssize(roster_->nodes());
  return partner_count(nodes) < nodes - 1;
}

void SumsOpening::draw(const WordsView& shares) {
  const Words& records = roster_->records();
  Words commitments(share_words, records.cols());
  commitments << records.row(0), records.bottomRows(words_in(sizeof(Hash)));
  seed_ = seed_of(drawn_from(commitments, in_order_of_nodes(shares)));
}

SecureSums SumsOpening::sums() && {
  std::vector<NodeId> partners = MaskPartners(roster_->nodes(), seed_).of(pairs_.self(), roster_->nodes());
  pairs_.learn(*roster_, partners);
  SecureSums::Masks masks{
      .pairs = std::move(pairs_), .partners = std::move(partners), .nodes = std::ssize(roster_->nodes())};
  return {.masks = std::make_shared<SecureSums::Masks>(std::move(masks))};
}

Words hidden_words(SecureSums& sums, Words mine) {
  mine.conservativeResize(mine.rows() + 1, 1);
  mine(mine.rows() - 1) = 1;
  SecureSums::Masks& masks = *sums.masks;
  masks.pairs.hide(span_of(mine), ++masks.number, masks.partners);
  return mine;
}

std::optional<Words> opened_words(const SecureSums& sums, const WordsView& total) {
  if (total.rows() < 1 || total(total.rows() - 1) != sums.masks->nodes) return std::nullopt;
  return Words(total.topRows(total.rows() - 1));
}

Task<SecureSums> open_secure_sums(Node& node) {
  SecureSums& kept = node.kept<SecureSums>();
  if (kept.masks) co_return kept;
  SumsOpening opening(node);
  const Message all = co_await shown_to_all(node, opening.introduction());
  opening.learn(all.array(0).integers());
  if (opening.draws()) {
    const Message shares = co_await shown_to_all(node, opening.share());
    opening.draw(table_of(shares, share_words));
  }
  kept = std::move(opening).sums();
  co_return kept;
}

Task<std::optional<Words>> secure_words_at_root(Node& node, SecureSums& sums, Words mine) {
  return words_at_root(node, sums, std::move(mine));
}

Task<std::optional<Matrix>> secure_sum_at_root(Node& node, SecureSums& sums, Matrix mine) {
  return total_at_root(node, sums, std::move(mine), unknown_limit);
}

Task<Matrix> secure_sum(Node& node, SecureSums& sums, Matrix mine) {
  return total_everywhere(node, sums, std::move(mine), unknown_limit);
}

Task<std::optional<Matrix>> secure_sum_at_root(Node& node, Matrix mine, double limit) {
  const SecureSums sums = co_await open_secure_sums(node);
  std::optional<Matrix> total = co_await total_at_root(node, sums, std::move(mine), limit);
  co_return total;
}

Task<Matrix> secure_sum(Node& node, Matrix mine, double limit) {
  const SecureSums sums = co_await open_secure_sums(node);
  Matrix total = co_await total_everywhere(node, sums, std::move(mine), limit);
  co_return total;
}

Task<Vector> secure_limits(Node& node, Matrix mine) {
  const SecureSums sums = co_await open_secure_sums(node);
  std::vector<int> powers;
  for (const auto& row : mine.rowwise()) powers.push_back(power_of_two_above(row));
  const std::vector<double> limits = co_await limits_of_all(node, sums, std::move(powers));
  co_return Eigen::Map<const Vector>(limits.data(), std::ssize(limits));
}

}  // namespace choir
