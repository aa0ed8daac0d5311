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

// Where part i of a whole begins.
Index begin_of(Index i, Index parts, Index whole) { return i * whole / parts; }

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
  std::vector<Samples> shards;
  for (Index j = 0; j < nodes; ++j) {
    const Index begin = begin_of(j, nodes, samples.cols());
    shards.push_back(samples.middleCols(begin, begin_of(j + 1, nodes, samples.cols()) - begin));
  }
  return shards;
}

std::vector<Samples> dealt_rows(const Samples& samples, Index nodes) {
  std::vector<Samples> shards;
  for (Index j = 0; j < nodes; ++j) {
    const Index begin = begin_of(j, nodes, samples.rows());
    shards.push_back(samples.middleRows(begin, begin_of(j + 1, nodes, samples.rows()) - begin));
  }
  return shards;
}

gossip_pca::Options plain_options(Index components, Index messages) {
  gossip_pca::Options options;
  options.kernel.kind = KernelKind::linear;
  options.n_components.count = components;
  options.messages = messages;
  options.tol = 0;
  return options;
}

gossip_pca::Fit simulate(const std::vector<Samples>& shards, const gossip_pca::Options& options,
                         const SimOptions& network, const std::string& topology, std::uint64_t seed) {
  SimEngine engine(network);
  const Graph graph = make_topology(topology, static_cast<Index>(shards.size()), seed);
  RunOptions run;
  run.seed = seed;
  return fit_gossip_pca(engine, graph, shards, options, run);
}

}  // namespace choir::testing
