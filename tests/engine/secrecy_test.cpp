// What a node sees of another in a masked sum says nothing about its numbers, on every engine. Masks come
// from the system's randomness, so the bounds are those that chance exceeds once in millions.
#include <array>
#include <cmath>
#include <map>
#include <mutex>

#include "engine/suite_engine.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/graph/topology.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

constexpr Index nodes = 24;
constexpr NodeId watched = 23;  // a leaf: its parent sees its words alone
constexpr NodeId other_leaf = 22;
constexpr Index side = 100;
constexpr double standard_deviation = 22.6;  // of chi-squared with 255 degrees of freedom

const Contract summing{.method = "suite",
                       .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};

// Multiples of 2^-20, so that sums of them are exact.
Matrix plain_summand(NodeId node) {
  Rng random(static_cast<std::uint64_t>(node), Purpose("secrecy"));
  return Matrix::NullaryExpr(
      side, side, [&] { return std::ldexp(std::round(std::ldexp(random.uniform(-1, 1), 20)), -20); });
}

// A message as others see it: what it carries is written down unless it is masked, or a fresh key.
struct Glimpse {
  NodeId to;
  Kind kind;
  std::vector<Index> shape;
  std::vector<double> numbers;
  friend bool operator==(const Glimpse&, const Glimpse&) = default;
};

struct View {
  std::map<NodeId, std::vector<Glimpse>> sent;  // by sender, in its order
  std::vector<std::uint64_t> words;             // masked, of the watched node
  std::vector<Matrix> totals;                   // at every node of this process
};

Glimpse glimpse_of(NodeId to, const Message& message) {
  Glimpse seen{.to = to, .kind = message.kind(), .shape = {}, .numbers = {}};
  for (const Array& array : message.arrays()) {
    seen.shape.insert(seen.shape.end(), {array.rows(), array.columns()});
    if (array.type() == ArrayType::float64) {
      const auto values = array.matrix();
      seen.numbers.insert(seen.numbers.end(), values.data(), values.data() + values.size());
    } else if (seen.kind == Kind::totals) {
      for (const std::int64_t word : array.integers().reshaped())
        seen.numbers.push_back(static_cast<double>(word));
    }
  }
  return seen;
}

View view_of_a_sum(const std::function<Matrix(NodeId)>& summand, double limit) {
  View view;
  std::mutex mutex;
  RunOptions options;
  options.seed = 7;
  options.audit = [&](NodeId from, NodeId to, const Message& message) {
    const std::lock_guard lock(mutex);
    view.sent[from].push_back(glimpse_of(to, message));
    if (from != watched || message.kind() != Kind::masked) return;
    const auto words = message.array(0).integers();
    for (Index i = 0; i < words.size(); ++i) view.words.push_back(static_cast<std::uint64_t>(words(i)));
  };
  const auto outcome =
      run_nodes<Matrix>(*suite_engine(), make_topology("tree:2", nodes, 0), summing, options,
                        [&](Node& node) { return secure_sum(node, summand(node.id()), limit); });
  for (const auto& total : outcome.results) {
    if (total) view.totals.push_back(*total);
  }
  return view;
}

double chi_squared(const std::vector<std::uint64_t>& words, int byte) {
  std::array<double, 256> counts = {};
  for (const std::uint64_t word : words) ++counts[(word >> (8 * byte)) & 255];
  const double expected = static_cast<double>(words.size()) / 256;
  double sum = 0;
  for (const double count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(SecrecyOfSums, WordsAreUniformAndOthersInEveryRun) {
  const View once = view_of_a_sum(plain_summand, 1);
  const View again = view_of_a_sum(plain_summand, 1);
  ASSERT_EQ(once.totals.size(), again.totals.size());
  for (std::size_t i = 0; i < once.totals.size(); ++i) EXPECT_EQ(once.totals[i], again.totals[i]);
  if (!suite_engine()->own_nodes(nodes).has(watched)) return;
  ASSERT_EQ(once.words.size(), static_cast<std::size_t>(side * side + 1));
  ASSERT_EQ(again.words.size(), once.words.size());
  for (int byte = 0; byte < 8; ++byte)
    EXPECT_NEAR(chi_squared(once.words, byte), 255, 5.5 * standard_deviation) << byte;
  int same = 0;
  for (std::size_t i = 0; i < once.words.size(); ++i) same += once.words[i] == again.words[i];
  EXPECT_EQ(same, 0) << "the run's seed must not be that of the masks";
}

// The same statistics see at once what is not masked.
TEST(SecrecyOfSums, WordsWithoutMasksWouldBeFound) {
  std::vector<std::uint64_t> words;
  const Matrix values = plain_summand(watched);
  for (const double value : values.reshaped())
    words.push_back(static_cast<std::uint64_t>(std::llround(std::ldexp(value, 56))));
  EXPECT_GT(chi_squared(words, 7), 1000);
}

// One node's numbers become others, and another's so that the total stays: nobody sees a difference.
TEST(SecrecyOfSums, ViewsAreTheSameForOtherNumbersWithTheSameTotal) {
  const Matrix moved = Matrix::NullaryExpr(side, side, [](Index i, Index j) { return i > j ? 0.25 : -0.5; });
  const auto summand = [](NodeId node) -> Matrix {
    return node == 0 ? Matrix(Matrix::Constant(side, side, 8)) : plain_summand(node);
  };
  const auto changed = [&](NodeId node) -> Matrix {
    if (node == watched) return summand(node) + moved;
    if (node == other_leaf) return summand(node) - moved;
    return summand(node);
  };
  for (const double limit : {16.0, unknown_limit}) {
    const View one = view_of_a_sum(summand, limit);
    const View other = view_of_a_sum(changed, limit);
    EXPECT_EQ(one.totals.size(), other.totals.size());
    for (std::size_t i = 0; i < one.totals.size(); ++i) EXPECT_EQ(one.totals[i], other.totals[i]);
    EXPECT_EQ(one.sent, other.sent);
    for (const auto& [from, glimpses] : one.sent) {
      for (const Glimpse& seen : glimpses) EXPECT_NE(seen.kind, Kind::own_statistics);
    }
    if (!suite_engine()->own_nodes(nodes).has(watched)) continue;
    for (int byte = 0; byte < 8; ++byte)
      EXPECT_NEAR(chi_squared(other.words, byte), 255, 5.5 * standard_deviation) << byte;
  }
}

TEST(SecrecyOfSums, TotalsAreThePlainOnes) {
  const auto outcome = run_nodes<double>(
      *suite_engine(), make_topology("tree:2", nodes, 0), summing, {}, [](Node& node) -> Task<double> {
        Rng random(static_cast<std::uint64_t>(node.id()), Purpose("totals"));
        const Matrix mine = Matrix::NullaryExpr(30, 12, [&] { return random.normal(); });
        Matrix copy = mine;
        const Matrix plain = co_await tree_sum(node, node.tree(), mine);
        const Matrix masked = co_await secure_sum(node, std::move(copy));
        copy = mine;
        const Matrix with_a_limit = co_await secure_sum(node, std::move(copy), 100);
        co_return std::max((masked - plain).norm(), (with_a_limit - plain).norm()) / plain.norm();
      });
  for (const auto& difference : outcome.results) {
    if (difference) {
      EXPECT_LE(*difference, 1e-12);
    }
  }
}

}  // namespace
}  // namespace choir
