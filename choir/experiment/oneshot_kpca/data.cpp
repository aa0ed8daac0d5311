#include "choir/experiment/oneshot_kpca/data.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "choir/base/rng.h"
#include "choir/data/shards.h"
#include "choir/linalg/blas.h"
#include "choir/linalg/qr.h"

namespace choir {
namespace {

constexpr Purpose images_purpose("oneshot-experiment-images");
constexpr Purpose pixels_purpose("oneshot-experiment-pixels");
constexpr Purpose spectrum_purpose("oneshot-experiment-spectrum");
constexpr Purpose cuts_purpose("oneshot-experiment-cuts");

constexpr double brightest = 255;

Samples drawn_images(const Dataset& digits, Index count, std::uint64_t seed) {
  Rng random(seed, images_purpose);
  return take_samples(digits, random.choose(count, digits.size())).samples / brightest;
}

Kernel rbf_of(Index features) {
  return {.kind = KernelKind::rbf, .gamma = 9 / static_cast<double>(features)};
}

// Rows by their variance, the largest first.
std::vector<Index> most_varying(const Samples& images, Index count) {
  const Vector variance = (images.colwise() - images.rowwise().mean()).rowwise().squaredNorm();
  std::vector<Index> rows(static_cast<std::size_t>(images.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  std::stable_sort(rows.begin(), rows.end(), [&](Index a, Index b) { return variance(a) > variance(b); });
  rows.resize(static_cast<std::size_t>(count));
  return rows;
}

Matrix normal_entries(Index rows, Index columns, Rng& random) {
  Matrix matrix(rows, columns);
  for (double& entry : matrix.reshaped()) entry = random.normal();
  return matrix;
}

Vector paper_spectrum() {
  Vector spectrum(59);
  spectrum << Vector::Constant(10, 5000), 2500, Vector::Constant(48, 50);
  return spectrum;
}

}  // namespace

FeatureData digit_images(const Dataset& digits, Index samples, std::uint64_t seed) {
  return {.features = drawn_images(digits, samples, seed), .kernel = rbf_of(digits.features())};
}

FeatureData digit_pixels(const Dataset& digits, const PixelSpec& spec, std::uint64_t seed) {
  const Samples images = drawn_images(digits, spec.images, seed);
  const std::vector<Index> pool = most_varying(images, spec.pool);
  Rng random(seed, pixels_purpose);
  Samples pixels(spec.images, spec.samples);
  for (Index column = 0; const Index place : random.choose(spec.samples, spec.pool)) {
    pixels.col(column++) = images.row(pool[static_cast<std::size_t>(place)]).transpose();
  }
  pixels.rowwise() -= pixels.colwise().mean();
  return {.features = std::move(pixels), .kernel = rbf_of(spec.images)};
}

FeatureData simulated_spectrum(Index features, Index samples, std::uint64_t seed) {
  const SingleThreadedBlas scope;
  Rng random(seed, spectrum_purpose);
  const Vector spectrum = paper_spectrum();
  Matrix right = normal_entries(samples, spectrum.size(), random);
  right.rowwise() -= right.colwise().mean();
  const Matrix v = thin_qr<double>(std::move(right)).q;
  const Matrix u = thin_qr<double>(normal_entries(features, spectrum.size(), random)).q;
  return {.features = u * spectrum.cwiseSqrt().asDiagonal() * v.transpose(),
          .kernel = {.kind = KernelKind::linear}};
}

std::vector<Index> even_cuts(Index features, Index parties) {
  std::vector<Index> cuts;
  for (Index party = 0; party <= parties; ++party) cuts.push_back(party * features / parties);
  return cuts;
}

std::vector<Index> uneven_cuts(Index features, Index parties, std::uint64_t seed) {
  Rng random(seed, cuts_purpose);
  std::vector<Index> cuts = random.choose(parties - 1, features - 1);
  for (Index& cut : cuts) ++cut;
  cuts.push_back(0);
  cuts.push_back(features);
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

std::vector<Samples> divide(const Samples& features, const std::vector<Index>& cuts) {
  std::vector<Samples> shards;
  for (std::size_t party = 0; party + 1 < cuts.size(); ++party) {
    shards.push_back(features.middleRows(cuts[party], cuts[party + 1] - cuts[party]));
  }
  return shards;
}

}  // namespace choir
