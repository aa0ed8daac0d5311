// Data and networks that the tests of gossip PCA share.
#pragma once

#include <string>
#include <vector>

#include "graph/expect_error.h"

#include "choir/learn/gossip_pca/gossip_pca.h"
#include "choir/runtime/sim/sim_options.h"

namespace choir::testing {

// Gaussian samples of rank p about a mean that is not zero, D x n.
Samples low_rank_samples(Index dimension, Index rank, Index count, std::uint64_t seed);
// Full rank, with variances that fall like 1/k.
Samples spread_samples(Index dimension, Index count, std::uint64_t seed);
// Dealt out in order, sizes equal within one.
std::vector<Samples> dealt(const Samples& samples, Index nodes);
std::vector<Samples> dealt_rows(const Samples& samples, Index nodes);

// gram, no test for the end.
gossip_pca::Options plain_options(Index components, Index messages);

// The same with features of the rbf kernel that all nodes share.
struct RbfFeatures {
  FeatureKind kind = FeatureKind::landmarks;
  std::string gamma;
  Index landmarks = 0;
  Index random_features = 0;
};
gossip_pca::Options kernel_options(Index components, Index messages, const RbfFeatures& features);

gossip_pca::Fit simulate(const std::vector<Samples>& shards, const gossip_pca::Options& options,
                         const SimOptions& network = {}, const std::string& topology = "complete",
                         std::uint64_t seed = 1, const gossip_pca::Study& study = {});

}  // namespace choir::testing

// The names that nearly every test here uses.
namespace choir::gossip_pca {

using testing::dealt;
using testing::dealt_rows;
using testing::expect_error;
using testing::kernel_options;
using testing::low_rank_samples;
using testing::plain_options;
using testing::simulate;
using testing::spread_samples;

}  // namespace choir::gossip_pca
