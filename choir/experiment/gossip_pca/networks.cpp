#include "choir/experiment/gossip_pca/networks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "choir/base/rng.h"
#include "choir/data/shards.h"
#include "choir/graph/topology.h"
#include "choir/linalg/blas.h"
#include "choir/linalg/columns.h"

namespace choir {
namespace {

constexpr Purpose gaussian_purpose("gossip-experiment-gaussian");
constexpr Purpose sizes_purpose("gossip-experiment-sizes");
constexpr Purpose order_purpose("gossip-experiment-order");

Matrix normal_matrix(Index rows, Index columns, Rng& random) {
  Matrix matrix(rows, columns);
  for (double& entry : matrix.reshaped()) entry = random.normal();
  return matrix;
}

Samples gaussian_samples(const GaussianSpec& spec, std::uint64_t seed) {
  const SingleThreadedBlas scope;
  Rng random(seed, gaussian_purpose);
  const Matrix spread = normal_matrix(spec.features, spec.rank, random);
  const Vector mean = std::sqrt(static_cast<double>(spec.rank)) * normal_matrix(spec.features, 1, random);
  return (spread * normal_matrix(spec.rank, spec.samples, random)).colwise() + mean;
}

// Neighbouring pieces, equal within one.
std::vector<Index> even_sizes(Index pieces, Index total) {
  std::vector<Index> sizes;
  for (Index piece = 0; piece < pieces; ++piece) {
    sizes.push_back(total * (piece + 1) / pieces - total * piece / pieces);
  }
  return sizes;
}

std::vector<Samples> cut_columns(const Samples& all, const std::vector<Index>& sizes) {
  std::vector<Samples> shards;
  Index begin = 0;
  for (const Index size : sizes) {
    shards.push_back(all.middleCols(begin, size));
    begin += size;
  }
  return shards;
}

std::vector<Index> order_of(const Dataset& digits, DigitOrder order, std::uint64_t seed) {
  Rng random(seed, order_purpose);
  std::vector<Index> indices = random.permutation(digits.size());
  if (order == DigitOrder::sorted) {
    const auto label = [&](Index sample) { return digits.labels[static_cast<std::size_t>(sample)]; };
    std::stable_sort(indices.begin(), indices.end(), [&](Index a, Index b) { return label(a) < label(b); });
  }
  return indices;
}

}  // namespace

GossipNetwork gaussian_network(const GaussianSpec& spec, std::uint64_t seed) {
  const Samples all = gaussian_samples(spec, seed);
  return {.graph = make_topology(spec.topology, spec.nodes, seed),
          .shards = cut_columns(all, even_sizes(spec.nodes, spec.samples)),
          .division = Division::samples,
          .seed = seed};
}

std::vector<Index> uneven_sizes(Index nodes, Index total, std::uint64_t seed) {
  const Index most = 2 * total / nodes - 1;
  Rng random(seed, sizes_purpose);
  const auto below = [&](Index bound) {
    return static_cast<Index>(random.below(static_cast<std::uint64_t>(bound)));
  };
  std::vector<Index> sizes;
  for (Index node = 0; node < nodes; ++node) sizes.push_back(1 + below(most));
  Index missing = total - std::accumulate(sizes.begin(), sizes.end(), Index{0});
  while (missing != 0) {
    Index& size = sizes[static_cast<std::size_t>(below(nodes))];
    const Index step = missing > 0 ? 1 : -1;
    if (size + step < 1 || size + step > most) continue;
    size += step;
    missing -= step;
  }
  return sizes;
}

GossipNetwork gaussian_coordinates(const GaussianSpec& spec, std::uint64_t seed) {
  const Samples all = gaussian_samples(spec, seed);
  GossipNetwork network{.graph = make_topology(spec.topology, spec.nodes, seed),
                        .shards = {},
                        .division = Division::coordinates,
                        .seed = seed};
  Index begin = 0;
  for (const Index size : uneven_sizes(spec.nodes, spec.features, seed)) {
    network.shards.push_back(all.middleRows(begin, size));
    begin += size;
  }
  return network;
}

GossipNetwork digit_network(const Dataset& digits, Index nodes, DigitOrder order, std::uint64_t seed) {
  const Samples all = take_samples(digits, order_of(digits, order, seed)).samples;
  return {.graph = make_topology("complete", nodes, seed),
          .shards = cut_columns(all, even_sizes(nodes, all.cols())),
          .division = Division::samples,
          .seed = seed};
}

gossip_pca::Yardstick yardstick_of(const GossipNetwork& network, Index q) {
  if (network.division == Division::samples) return gossip_pca::Yardstick(side_by_side(network.shards), q);
  std::vector<Matrix> rows;
  for (const Samples& shard : network.shards) {
    rows.push_back((shard.colwise() - shard.rowwise().mean()).transpose());
  }
  return gossip_pca::Yardstick(side_by_side(rows), q, false);
}

}  // namespace choir
