// Networks with their data, drawn anew for each seed: Gaussian samples of low rank, digits.
//
//   const GossipNetwork network = gaussian_network({.nodes = 100, .features = 200, .samples = 10000}, seed);
//   const gossip_pca::Yardstick yardstick = yardstick_of(network, 30);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "choir/data/dataset.h"
#include "choir/graph/graph.h"
#include "choir/learn/gossip_pca/options.h"
#include "choir/learn/gossip_pca/quality.h"

namespace choir {

struct GossipNetwork {
  Graph graph;
  std::vector<Samples> shards;  // of the nodes: D x n_i, or D_i x n
  Division division = Division::samples;
  std::uint64_t seed = 0;
};

struct GaussianSpec {
  Index nodes = 100;
  Index features = 200;  // D
  Index samples = 10000;
  Index rank = 30;  // p, of the covariance
  std::string topology = "complete";
};

// x = mu + A g with A of D x p and g of p standard normal numbers; entries of mu are as large as the
// deviations from it. Every node has equally many samples.
GossipNetwork gaussian_network(const GaussianSpec& spec, std::uint64_t seed);
// The same data, divided by coordinates: D_i uniform in 1 .. 2D/N - 1, together D.
GossipNetwork gaussian_coordinates(const GaussianSpec& spec, std::uint64_t seed);
// How many coordinates each node has then.
std::vector<Index> uneven_sizes(Index nodes, Index total, std::uint64_t seed);

enum class DigitOrder {
  random,  // all nodes see the same
  sorted,  // by label, then cut: most nodes see one digit
};
// All images, on a complete network.
GossipNetwork digit_network(const Dataset& digits, Index nodes, DigitOrder order, std::uint64_t seed);

// What all nodes together have. For coordinates: the Gram matrix of the samples, by coordinates centred.
gossip_pca::Yardstick yardstick_of(const GossipNetwork& network, Index q);

}  // namespace choir
