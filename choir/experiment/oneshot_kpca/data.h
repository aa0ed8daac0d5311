// The data of oneshot-kpca's experiments, drawn anew for each seed, and how features are divided among
// parties.
//
//   const FeatureData images = digit_images(digits, 537, seed);
//   const std::vector<Samples> shards = divide(images.features, even_cuts(784, 28));
//
// The paper's gene expressions (GSE2187, 8545 features of 537 samples) are not freely at hand; `digit_pixels`
// has their shape, and like them eigenvalues that decay slowly.
#pragma once

#include <cstdint>
#include <vector>

#include "choir/data/dataset.h"
#include "choir/kernel/kernel.h"

namespace choir {

struct FeatureData {
  Samples features;  // M x T
  Kernel kernel;     // rbf: gamma = 9 / M, the paper's sigma = sqrt(M) / 3
};

// T images; features are pixels between 0 and 1.
FeatureData digit_images(const Dataset& digits, Index samples, std::uint64_t seed);

// Turned round: samples are pixels, drawn from the `pool` that vary most, and features are images. Every
// pixel's mean over the images is subtracted.
struct PixelSpec {
  Index images = 8545;  // M
  Index pool = 537;
  Index samples = 537;  // T, of the pool
};
FeatureData digit_pixels(const Dataset& digits, const PixelSpec& spec, std::uint64_t seed);

// For the linear kernel: X = U S V' with random orthonormal U and V, V orthogonal to the ones (no feature has
// a mean). S^2 is 5000 ten times, 2500 once, 50 forty-eight times.
FeatureData simulated_spectrum(Index features, Index samples, std::uint64_t seed);

// Where the features of one party end and the next one's begin: J + 1 numbers from 0 to M.
std::vector<Index> even_cuts(Index features, Index parties);                        // equal within one
std::vector<Index> uneven_cuts(Index features, Index parties, std::uint64_t seed);  // at random, none empty

// Neighbouring features for each party, M_j x T.
std::vector<Samples> divide(const Samples& features, const std::vector<Index>& cuts);

}  // namespace choir
