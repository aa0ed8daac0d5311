#include "choir/learn/features/network_gaussian.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "choir/crypto/fingerprint.h"
#include "choir/linalg/eigen.h"

namespace choir {
namespace {

constexpr std::uint64_t probe_seed = 0;  // public, like the directions
constexpr double factor_cutoff = 1e-12;  // of the largest variance
constexpr Index samples_per_probe = 4;
constexpr double moments_grid = 0x1p-20;  // of the spread

// The number of samples and their mean, at all nodes.
Task<NetworkGaussian> agreed_mean(Node& node, SecureSums& sums, const Array& shard) {
  Matrix mine(shard.rows() + 1, 1);
  mine.topRows(shard.rows()) = shard.matrix().rowwise().sum();
  mine(shard.rows(), 0) = static_cast<double>(shard.columns());
  const Matrix total = co_await secure_sum(node, sums, std::move(mine));
  const double samples = total(shard.rows(), 0);
  NetworkGaussian found;
  found.samples = static_cast<Index>(std::llround(samples));
  found.mean = total.col(0).head(shard.rows()) / samples;
  co_return found;
}

}  // namespace

Matrix probe_directions(Index features, Index most) {
  if (features <= most) return Matrix::Identity(features, features);
  Rng random(probe_seed, Purpose("landmark probes"));
  return Matrix::NullaryExpr(features, most, [&] { return random.normal(); });
}

Index probes_for(Index samples) { return std::clamp<Index>(samples / samples_per_probe, 1, most_probes); }

Matrix spread_factor(const Matrix& products, const Matrix& probes) {
  const Matrix inner = probes.transpose() * products;
  const EigenPairs pairs = eigen_symmetric<double>((inner + inner.transpose()) / 2);
  const Index rank = (pairs.values.array() > factor_cutoff * std::max(pairs.values(0), 0.0)).count();
  const Vector roots = pairs.values.head(rank).cwiseSqrt();
  return products * pairs.vectors.leftCols(rank) * roots.cwiseInverse().asDiagonal();
}

Matrix drawn_seeds(const Vector& mean, const Matrix& factor, Index count, Rng random) {
  const Matrix normals = Matrix::NullaryExpr(factor.cols(), count, [&] { return random.normal(); });
  return (factor * normals).colwise() + mean;
}

Rng random_of_moments(const Vector& mean, const Matrix& products) {
  const double variance = products.cwiseAbs().maxCoeff();
  const double spread = variance > 0 ? std::sqrt(variance) : 1;
  std::vector<std::int64_t> rounded;
  const auto add = [&](double value, double scale) {
    rounded.push_back(std::llround(std::fmod(value / (scale * moments_grid), 0x1p62)));
  };
  for (const double value : mean) add(value, spread);
  for (const double value : products.reshaped()) add(value, spread * spread);
  const Hash hash = fingerprint("seeds of landmarks", std::as_bytes(std::span(rounded)));
  std::uint64_t seed = 0;
  std::memcpy(&seed, hash.data(), sizeof seed);
  return Rng(seed, Purpose("landmark seeds"));
}

Task<NetworkGaussian> agreed_gaussian(Node& node, SecureSums& sums, Array shard) {
  NetworkGaussian found = co_await agreed_mean(node, sums, shard);
  const Matrix probes = probe_directions(shard.rows(), probes_for(found.samples));
  const Matrix centred = shard.matrix().colwise() - found.mean;
  Matrix mine = centred * (centred.transpose() * probes);
  const std::optional<Matrix> total = co_await secure_sum_at_root(node, sums, std::move(mine));
  if (total) {
    const Matrix products = *total / static_cast<double>(found.samples);
    found.at_root = NetworkGaussian::Spread{.factor = spread_factor(products, probes),
                                            .random = random_of_moments(found.mean, products)};
  }
  co_return found;
}

}  // namespace choir
