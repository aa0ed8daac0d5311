// Data and runs that the tests of federated-kmeans share.
#pragma once

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "choir/learn/federated_kmeans/federated_kmeans.h"
#include "choir/linalg/types.h"

namespace choir::testing {

// How many devices most tests have; the server is the node after them.
inline constexpr Index device_count = 6;
inline constexpr NodeId server = device_count;

struct Clusters {
  Samples samples;                   // M x N
  std::vector<std::int64_t> labels;  // N
};
// Gaussian clouds of variance 1 about centres of variance 16, in random order.
Clusters clusters(Index count, Index clusters, Index features, std::uint64_t seed);
// Handwritten digits of the data set in the repository, from 0 to 1.
Clusters digits(Index count);
Clusters sorted_by_label(const Clusters& data);

// Parts of nearly equal size, in order.
std::vector<Samples> dealt(const Samples& samples, Index devices = device_count);

// 4 / (2 median ||x - y||^2)
GammaSpec fourfold_median(const Samples& samples);

class EveryEmbedding : public ::testing::TestWithParam<federated_kmeans::Embedding> {};

// 600 samples of 8 features in 5 clouds, and options that find these in no time.
const Clusters& small_data();
federated_kmeans::Options small_options(
    federated_kmeans::Embedding embedding = federated_kmeans::Embedding::nystroem);

inline constexpr federated_kmeans::Embedding every_embedding[] = {
    federated_kmeans::Embedding::nystroem, federated_kmeans::Embedding::fea,
    federated_kmeans::Embedding::random_features};

// In the simulator, over a star whose last node is the server.
federated_kmeans::Fit simulate(const std::vector<Samples>& shards, const federated_kmeans::Options& options,
                               std::uint64_t seed = 1, const federated_kmeans::Study& study = {});
// The same without a server, over a ring with two neighbours each.
federated_kmeans::Fit simulate_ring(const std::vector<Samples>& shards,
                                    const federated_kmeans::Options& options);
// All devices' labels, in their order.
std::vector<std::int64_t> labels_of(const federated_kmeans::Fit& fit, Index devices);

}  // namespace choir::testing

// The names that nearly every test here uses.
namespace choir::federated_kmeans {

using testing::dealt;
using testing::device_count;
using testing::EveryEmbedding;
using testing::server;
using testing::simulate;
using testing::small_data;
using testing::small_options;

}  // namespace choir::federated_kmeans
