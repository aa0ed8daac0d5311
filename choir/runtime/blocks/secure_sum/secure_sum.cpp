#include "choir/runtime/blocks/secure_sum/secure_sum.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "choir/base/error.h"
#include "choir/runtime/blocks/secure_sum/fixed_point.h"
#include "choir/runtime/blocks/secure_sum/partners.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

Message tables_beside(const Message& mine, const Message& child) {
  const WordsView a = table_of(mine, key_record);
  const WordsView b = table_of(child, key_record);
  Words both(key_record, a.cols() + b.cols());
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

// A power of two above the entries of each row. The largest entry itself would be a value of a sample.
Matrix row_powers(const Matrix& values) {
  Matrix powers(values.rows(), 1);
  for (Index row = 0; row < values.rows(); ++row) powers(row, 0) = power_of_two_above(values.row(row));
  return powers;
}

FixedPoint row_format(double power, Index nodes) {
  return FixedPoint::for_sums_up_to(std::ldexp(static_cast<double>(nodes), static_cast<int>(power)));
}

// A row of entries after the other, and a last word that is 1 at every node.
Words encoded(const Matrix& values, const Matrix& powers, Index nodes) {
  Words words(values.size() + 1, 1);
  const std::span<std::int64_t> all = span_of(words);
  const auto length = static_cast<std::size_t>(values.cols());
  for (Index row = 0; row < values.rows(); ++row) {
    const double limit = std::ldexp(1.0, static_cast<int>(powers(row, 0)));
    row_format(powers(row, 0), nodes)
        .encode(values.row(row), limit, all.subspan(static_cast<std::size_t>(row) * length, length));
  }
  words(values.size()) = 1;
  return words;
}

Matrix decoded(const WordsView& words, const Matrix& powers, Index nodes, Index columns) {
  const Index rows = powers.rows();
  if (words(words.size() - 1) != nodes) {
    throw Error(ErrorCategory::PeerLost,
                "a node was lost while a masked sum was on its way: the masks do not cancel without it, and "
                "nothing was unmasked; run again with the nodes that are left");
  }
  Matrix values(rows, columns);
  const auto length = static_cast<std::size_t>(columns);
  for (Index row = 0; row < rows; ++row) {
    values.row(row) =
        row_format(powers(row, 0), nodes)
            .decode(span_of(words).subspan(static_cast<std::size_t>(row) * length, length), 1, columns);
  }
  return values;
}

}  // namespace

Task<SecureSums> open_secure_sums(Node& node) {
  SecureSums sums{.masks = PairMasks(node.id(), "masked sums of a network"), .partners = {}};
  const Combine combine = tables_beside;
  const Message mine = table_message(sums.masks.introduction());
  const Message all = co_await tree_fold(node, node.tree(), mine, combine);
  const WordsView table = table_of(all, key_record);
  sums.masks.learn(table);
  std::vector<NodeId> nodes(static_cast<std::size_t>(node.network_size()));
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  sums.partners = MaskPartners::from_keys(table).of(node.id(), nodes);
  co_return sums;
}

Task<std::optional<Matrix>> secure_sum_at_root(Node& node, SecureSums& sums, Matrix mine) {
  Matrix own_powers = row_powers(mine);
  const Matrix powers = co_await tree_max(node, node.tree(), std::move(own_powers));
  const Index nodes = node.network_size();
  Words words = encoded(mine, powers, nodes);
  sums.masks.hide(span_of(words), ++sums.number, sums.partners);
  Message hidden(Kind::masked);
  hidden.array(Array(std::move(words)));
  const Combine combine = words_added;
  const std::optional<Message> all = co_await convergecast(node, node.tree(), hidden, combine);
  if (!all) co_return std::nullopt;
  co_return decoded(all->array(0).integers(), powers, nodes, mine.cols());
}

Task<Matrix> secure_sum(Node& node, SecureSums& sums, Matrix mine) {
  const std::optional<Matrix> total = co_await secure_sum_at_root(node, sums, std::move(mine));
  Message result(Kind::totals);
  if (total) result.array(*total);
  const Message agreed = co_await broadcast(node, node.tree(), result);
  co_return agreed.array(0).matrix();
}

}  // namespace choir
