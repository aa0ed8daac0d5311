#include "choir/learn/online_kernel/common_atoms.h"

#include "graph/expect_error.h"
#include "linalg/matrices.h"
#include <gtest/gtest.h>

namespace choir::online_kernel {
namespace {

using testing::expect_error;
using testing::random_matrix;

using Places = MatrixOf<std::int64_t>;

Samples unpack(const CommonAtoms& common, const PackedAtoms& packed) {
  return common.unpack({packed.places.data(), packed.places.rows(), 1},
                       {packed.news.data(), packed.news.rows(), packed.news.cols()}, 0);
}

// Two neighbours of each other, and of nobody else.
struct Pair {
  CommonAtoms mine{3, 1};
  CommonAtoms theirs{3, 1};

  // A round in which both tell their atoms; how many of mine travelled as samples.
  Index tell(const Samples& my_atoms, const Samples& their_atoms) {
    const PackedAtoms to_them = mine.pack(my_atoms, 0);
    const PackedAtoms to_me = theirs.pack(their_atoms, 0);
    EXPECT_EQ(unpack(theirs, to_them), my_atoms);
    EXPECT_EQ(unpack(mine, to_me), their_atoms);
    mine.close_round(my_atoms, {their_atoms});
    theirs.close_round(their_atoms, {my_atoms});
    return to_them.news.cols();
  }
};

Samples columns_of(const Samples& atoms, const std::vector<Index>& which) { return atoms(Eigen::all, which); }

TEST(CommonAtoms, OnlyWhatIsNewToBothTravels) {
  const Samples pool = random_matrix(3, 12, 1);
  Pair pair;
  EXPECT_EQ(pair.tell(columns_of(pool, {0, 1, 2}), columns_of(pool, {3, 4})), 3)
      << "nobody knows anything yet";
  EXPECT_EQ(pair.tell(columns_of(pool, {2, 0, 1}), columns_of(pool, {3, 4})), 0) << "an order of its own";
  EXPECT_EQ(pair.tell(columns_of(pool, {4, 7, 1}), columns_of(pool, {8})), 1)
      << "one is theirs, one was mine";
  EXPECT_EQ(pair.tell(columns_of(pool, {4, 0}), columns_of(pool, {8})), 1) << "of the round before alone";
  EXPECT_EQ(pair.tell(columns_of(pool, {}), columns_of(pool, {0, 4})), 0);
}

TEST(CommonAtoms, AreTheSameInAllBits) {
  Samples zeros = Samples::Zero(3, 1);
  Pair pair;
  pair.tell(zeros, zeros);
  zeros(1, 0) = -0.0;
  EXPECT_EQ(pair.tell(zeros, zeros), 1) << "equal numbers, other bits";
}

TEST(CommonAtoms, RefuseWhatBothDoNotHave) {
  Pair pair;
  const Samples atoms = random_matrix(3, 2, 1);
  pair.tell(atoms, atoms);
  const auto refuse = [&](std::initializer_list<std::int64_t> places, Index news) {
    PackedAtoms packed{.places = Places(static_cast<Index>(places.size()), 1),
                       .news = random_matrix(3, news, 2)};
    std::copy(places.begin(), places.end(), packed.places.data());
    expect_error(ErrorCategory::BadData, {"new"}, [&] { unpack(pair.mine, packed); });
  };
  refuse({4}, 0);
  refuse({-2}, 0);
  refuse({-1}, 0);
  refuse({0}, 1);
  refuse({-1, 3}, 2);
}

}  // namespace
}  // namespace choir::online_kernel
