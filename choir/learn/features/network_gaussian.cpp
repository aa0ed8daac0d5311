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
constexpr double moments_grid = 0x1p-20;      // of the spread
constexpr double enough_of_a_spread = 10;     // samples
constexpr double samples_per_maker = 6;       // in small networks: of normal values a third makes the spread
constexpr double most_of_squared_shares = 2;  // they are 1 at most, but for rounding

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

// Features of which nothing is summed but for themselves.
Task<std::vector<Index>> agreed_lone_features(Node& node, SecureSums& sums, const Matrix& centred,
                                              Index samples) {
  Matrix mine = centred.rowwise().squaredNorm().transpose();
  const Matrix squares = co_await secure_sum(node, sums, std::move(mine));
  Matrix own_shares = squared_shares(centred, squares.row(0)).transpose();
  const Matrix shares = co_await secure_sum(node, std::move(own_shares), most_of_squared_shares);
  const Vector all_shares = shares.row(0);
  co_return lone_features(all_shares, samples);
}

}  // namespace

Matrix probe_directions(Index features, Index most) {
  if (features <= most) return Matrix::Identity(features, features);
  Rng random(probe_seed, Purpose("landmark probes"));
  return Matrix::NullaryExpr(features, most, [&] { return random.normal(); });
}

Index probes_for(Index samples) { return std::clamp<Index>(samples / samples_per_probe, 1, most_probes); }

Vector squared_shares(const MatrixView<double>& centred, const Vector& squares) {
  const Vector scales = squares.unaryExpr([](double square) { return square > 0 ? 1 / square : 0.0; });
  return (scales.asDiagonal() * centred.cwiseAbs2()).rowwise().squaredNorm();
}

std::vector<Index> lone_features(const Vector& shares, Index samples) {
  const double fewest = std::min(enough_of_a_spread, static_cast<double>(samples) / samples_per_maker);
  std::vector<Index> lone;
  for (Index feature = 0; feature < shares.size(); ++feature) {
    if (fewest * shares(feature) > 1) lone.push_back(feature);
  }
  return lone;
}

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
  Matrix centred = shard.matrix().colwise() - found.mean;
  const std::vector<Index> lone = co_await agreed_lone_features(node, sums, centred, found.samples);
  centred(lone, Eigen::all).setZero();
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
