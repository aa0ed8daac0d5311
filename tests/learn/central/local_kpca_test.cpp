#include "choir/learn/central/local_kpca.h"

#include "learn/central/toy.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

using testing_toys::falling_scales;

CentralKpcaOptions options(int threads) {
  CentralKpcaOptions result;
  result.kernel.gamma = 0.05;
  result.components.count = 3;
  result.threads = threads;
  return result;
}

TEST(LocalKpca, IsKernelPcaOfEachShard) {
  const std::vector<Samples> shards = {falling_scales(4, 30, 1), falling_scales(4, 50, 2),
                                       falling_scales(4, 20, 3)};
  const auto fits = local_kernel_pca(shards, options(2));
  ASSERT_EQ(fits.size(), 3u);
  for (std::size_t j = 0; j < 3; ++j) {
    const CentralKpca alone = central_kernel_pca(shards[j], options(1));
    EXPECT_TRUE(fits[j].scores == alone.scores) << j;
  }
}

TEST(LocalKpca, NamesTheNodeThatCannot) {
  const std::vector<Samples> shards = {falling_scales(4, 30, 1), falling_scales(4, 2, 2)};
  try {
    local_kernel_pca(shards, options(1));
    FAIL() << "3 components of 2 samples";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("node 1: "));
  }
}

}  // namespace
}  // namespace choir
