#include "choir/learn/gossip_pca/exposure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/learn/gossip_pca/summary.h"
#include "choir/linalg/eigen.h"

namespace choir::gossip_pca {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Samples normal_samples(Index dimension, Index count) {
  Rng random(7, Purpose("exposure test"));
  return Samples::NullaryExpr(dimension, count, [&] { return random.normal(); });
}

// The truth is the algebra: all inner products of a node's centred samples are in its summary, or they are
// not.
TEST(Exposure, IsOfNodesWhoseInnerProductsAreAllInTheirSummary) {
  for (const Index carry : {1, 4, 8}) {
    for (const Index dimension : {3, 20}) {
      for (Index count = 1; count < 12; ++count) {
        const Samples samples = normal_samples(dimension, count);
        const Summary summary = summary_of_samples(samples, {.carry = carry});
        const Matrix centred = samples.colwise() - Vector(summary.sum / summary.weight);
        const Vector values = eigen_symmetric<double>(centred.transpose() * centred).values;
        const bool whole = std::abs(summary.values.sum() - values.sum()) < 1e-9;
        // As many lengths as samples but one: nothing is left but a rotation of these.
        const bool determined = whole && summary.values.size() == count - 1;
        const bool exposed = !exposed_nodes({count}, {.carry = carry, .dimension = dimension}).empty();
        EXPECT_EQ(exposed, determined) << carry << " " << dimension << " " << count;
      }
    }
  }
}

TEST(Exposure, NamesTheNodes) {
  const std::vector<Index> sizes = {2, 40, 0, 9, 10};
  EXPECT_THAT(exposed_nodes(sizes, {.carry = 8, .dimension = 30}), ElementsAre(0, 3));
  EXPECT_THAT(exposure_words(sizes, {.carry = 8, .dimension = 30}),
              AllOf(HasSubstr("nodes 0, 3 have so few samples"), HasSubstr("10 samples at each node")));
  EXPECT_THAT(exposed_nodes(sizes, {.carry = 8, .dimension = 30, .partition = Division::coordinates}),
              ElementsAre(0));
  EXPECT_THAT(exposure_words({40, 50}, {.carry = 8, .dimension = 30}), IsEmpty());
  EXPECT_THAT(exposure_words(std::vector<Index>(14, 2), {.carry = 8, .dimension = 30}),
              HasSubstr("7, 8, 9 and 4 more"));
}

}  // namespace
}  // namespace choir::gossip_pca
