#include "learn/gossip_pca/toy.h"

#include <cmath>

#include "choir/graph/topology.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::testing {
namespace {

Matrix normal_matrix(Index rows, Index columns, Rng& rng) {
  Matrix matrix(rows, columns);
  for (double& entry : matrix.reshaped()) entry = rng.normal();
  return matrix;
}

// Pieces of a whole, sizes equal within one.
template <class Piece>
std::vector<Samples> cut(Index whole, Index pieces, const Piece& piece) {
  std::vector<Samples> all;
  for (Index j = 0; j < pieces; ++j) {
    const Index begin = j * whole / pieces;
    all.push_back(piece(begin, (j + 1) * whole / pieces - begin));
  }
  return all;
}

}  // namespace

Samples low_rank_samples(Index dimension, Index rank, Index count, std::uint64_t seed) {
  Rng rng(seed, Purpose("toy"));
  const Matrix mixing = normal_matrix(dimension, rank, rng);
  const Matrix sources = normal_matrix(rank, count, rng);
  const Vector mean = normal_matrix(dimension, 1, rng);
  return (mixing * sources).colwise() + 3 * mean;
}

Samples spread_samples(Index dimension, Index count, std::uint64_t seed) {
  Rng rng(seed, Purpose("toy"));
  Matrix samples = normal_matrix(dimension, count, rng);
  for (Index k = 0; k < dimension; ++k) samples.row(k) /= std::sqrt(static_cast<double>(k + 1));
  const Vector mean = normal_matrix(dimension, 1, rng);
  return samples.colwise() + mean;
}

std::vector<Samples> dealt(const Samples& samples, Index nodes) {
  return cut(samples.cols(), nodes,
             [&](Index begin, Index count) { return samples.middleCols(begin, count); });
}

std::vector<Samples> dealt_rows(const Samples& samples, Index nodes) {
  return cut(samples.rows(), nodes,
             [&](Index begin, Index count) { return samples.middleRows(begin, count); });
}

gossip_pca::Options plain_options(Index components, Index messages) {
  gossip_pca::Options options;
  options.kernel.kind = KernelKind::linear;
  options.n_components.count = components;
  options.messages_per_node = messages;
  options.tol = 0;
  return options;
}

gossip_pca::Options kernel_options(Index components, Index messages, const RbfFeatures& features) {
  gossip_pca::Options options = plain_options(components, messages);
  options.features = features.kind;
  options.kernel.kind = KernelKind::rbf;
  options.gamma = parse_gamma(features.gamma);
  options.n_landmarks = features.landmarks;
  options.n_features = features.random_features;
  return options;
}

gossip_pca::Fit simulate(const std::vector<Samples>& shards, const gossip_pca::Options& options,
                         const SimOptions& network, const std::string& topology, std::uint64_t seed,
                         const gossip_pca::Study& study) {
  SimEngine engine(network);
  const Graph graph = make_topology(topology, static_cast<Index>(shards.size()), seed);
  RunOptions run;
  run.seed = seed;
  return fit_gossip_pca(engine, graph, shards, options, run, {}, study);
}

}  // namespace choir::testing
