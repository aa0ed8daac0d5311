#include "choir/metrics/clustering.h"

#include <functional>

#include "graph/expect_error.h"

#include "choir/base/rng.h"

namespace choir {
namespace {

using testing::expect_error;
using List = std::vector<std::int64_t>;

const List true_classes = {0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3};
const List near = {5, 5, 1, 1, 1, 2, 2, 2, 2, 2, 7, 5};
const List far = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};

List formula(const std::function<std::int64_t(std::int64_t)>& label) {
  List list;
  for (std::int64_t i = 0; i < 200; ++i) list.push_back(label(i));
  return list;
}
const List seven = formula([](std::int64_t i) { return (i * i + 3 * i) % 7; });
const List five = formula([](std::int64_t i) { return (i * i * i + i / 5) % 5; });

TEST(NormalizedMutualInfo, EqualsScikitLearn) {
  EXPECT_NEAR(normalized_mutual_info(true_classes, near), 0.6337982027786173, 1e-14);
  EXPECT_NEAR(normalized_mutual_info(true_classes, far), 0.18902320607765946, 1e-14);
  EXPECT_NEAR(normalized_mutual_info(seven, five), 0.0027862293426146705, 1e-14);
}

TEST(AdjustedRandIndex, EqualsScikitLearn) {
  EXPECT_NEAR(adjusted_rand_index(true_classes, near), 0.4272363150867824, 1e-14);
  EXPECT_NEAR(adjusted_rand_index(true_classes, far), -0.23318385650224216, 1e-14);
  EXPECT_NEAR(adjusted_rand_index(seven, five), -0.014199523740028974, 1e-14);
  EXPECT_NEAR(adjusted_rand_index(List{0, 0, 1, 1}, List{0, 1, 0, 1}), -0.5, 1e-15);
}

TEST(ClusteringAccuracy, EqualsScipysAssignment) {
  EXPECT_DOUBLE_EQ(clustering_accuracy(true_classes, near), 0.75);
  EXPECT_DOUBLE_EQ(clustering_accuracy(true_classes, far), 0.3333333333333333);
  EXPECT_DOUBLE_EQ(clustering_accuracy(seven, five), 0.22);
}

TEST(Clustering, OfOneClusterFollowsScikitLearn) {
  const List one = {1, 1, 1, 1};
  const List other = {2, 2, 2, 2};
  const List all = {0, 1, 2, 3};
  EXPECT_EQ(normalized_mutual_info(one, other), 1);
  EXPECT_EQ(adjusted_rand_index(one, other), 1);
  EXPECT_EQ(normalized_mutual_info(one, all), 0);
  EXPECT_EQ(adjusted_rand_index(one, all), 0);
  EXPECT_EQ(adjusted_rand_index(all, all), 1);
  EXPECT_EQ(clustering_accuracy(one, all), 0.25);
  EXPECT_EQ(normalized_mutual_info(List{0}, List{3}), 1);
  EXPECT_EQ(adjusted_rand_index(List{0}, List{3}), 1);
}

TEST(Clustering, DoesNotDependOnNamesOrOrder) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed, Purpose("test/clustering"));
    List a, b, renamed, shuffled_a, shuffled_b;
    for (int i = 0; i < 60; ++i) {
      a.push_back(static_cast<std::int64_t>(rng.below(4)));
      b.push_back(rng.uniform() < 0.6 ? a.back() : static_cast<std::int64_t>(rng.below(6)));
      renamed.push_back(1000 - 7 * b.back());
    }
    for (const Index i : rng.permutation(60)) {
      shuffled_a.push_back(a[static_cast<std::size_t>(i)]);
      shuffled_b.push_back(b[static_cast<std::size_t>(i)]);
    }
    for (const auto& score : {normalized_mutual_info, adjusted_rand_index, clustering_accuracy}) {
      const double value = score(a, b);
      EXPECT_NEAR(score(a, renamed), value, 1e-14);
      EXPECT_NEAR(score(shuffled_a, shuffled_b), value, 1e-14);
      EXPECT_NEAR(score(b, a), value, 1e-14) << "symmetric";
      EXPECT_NEAR(score(a, a), 1, 1e-14);
      EXPECT_LT(value, 1);
    }
    EXPECT_GE(clustering_accuracy(a, b), accuracy(a, b));
  }
}

TEST(Clustering, NeedsAsManyOfEachAndSome) {
  for (const auto& score : {normalized_mutual_info, adjusted_rand_index, clustering_accuracy}) {
    expect_error(ErrorCategory::InvalidArgument, {"2 true", "3 predicted"}, [&] {
      score(List{1, 2}, List{1, 2, 3});
    });
    expect_error(ErrorCategory::InvalidArgument, {"no values"}, [&] { score(List{}, List{}); });
  }
}

}  // namespace
}  // namespace choir
