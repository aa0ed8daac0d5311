#include "choir/experiment/digits.h"

#include <algorithm>

#include "paths.h"
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

const ExperimentOptions quick{.quick = true, .data = datasets_folder()};

TEST(Digits, QuickOnesComeFromTheRepository) {
  const Dataset digits = read_digits(quick, {0, 3, 5, 8});
  EXPECT_EQ(digits.size(), 1800);
  EXPECT_EQ(digits.features(), 784);
  EXPECT_EQ(read_digits(quick, {}).size(), 2000);
}

TEST(Digits, AreDealtWithoutReplacementAndAnewForEachSeed) {
  Dataset numbered;
  numbered.samples = Vector::LinSpaced(40, 0, 39).transpose();
  for (int n = 0; n < 40; ++n) numbered.labels.push_back(n % 4);
  const auto shards = deal_digits(numbered, {.nodes = 4, .samples = 8, .labels = 4}, 1);
  std::vector<int> used(40, 0);
  for (const Samples& shard : shards) {
    std::vector<int> of_label(4, 0);
    for (const double value : shard.row(0)) {
      ++used[static_cast<std::size_t>(value)];
      ++of_label[static_cast<std::size_t>(value) % 4];
    }
    EXPECT_EQ(of_label, std::vector<int>(4, 2));
  }
  EXPECT_EQ(*std::max_element(used.begin(), used.end()), 1);
  EXPECT_NE(shards[0], deal_digits(numbered, {.nodes = 4, .samples = 8, .labels = 4}, 2)[0]);
}

TEST(Digits, RunOut) {
  EXPECT_THROW(deal_digits(read_digits(quick, {0, 3}), {.nodes = 20, .samples = 100, .labels = 2}, 0), Error);
}

}  // namespace
}  // namespace choir
