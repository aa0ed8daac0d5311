// Where k-means begins: from centroids that devices published (weighted k-means++ and a few of Lloyd's
// iterations on them, at the server), or from embedded samples that devices drew (k-means||).
//
//   const std::vector<Matrix> starts = seeded_starts(embedded_centroids, {.clusters = 10, .restarts = 5});
#pragma once

#include <cstdint>
#include <vector>

#include "choir/base/rng.h"
#include "choir/learn/features/centroids.h"
#include "choir/linalg/types.h"

namespace choir::federated_kmeans {

struct StartOptions {
  Index clusters = 10;
  Index restarts = 5;
  std::uint64_t seed = 0;
};
// r x k each, from other draws each. Throws Error(InvalidArgument) if there are fewer distinct points than
// clusters; copies of a sample count once, though means of them and their embeddings differ by rounding.
std::vector<Matrix> seeded_starts(const CountedCentroids& points, const StartOptions& options);

// Starts from nobody's points: every centre is drawn from the Gaussian with the embedded samples' second
// moment S S', and is no longer than these are in the mean. Published centroids are means, and where a device
// has few samples they lie between clusters; these do not. `spread`: S, r x any.
std::vector<Matrix> drawn_starts(const Matrix& spread, const StartOptions& options);

// How many points are in places of their own, counted no further than `most`.
Index distinct_places(const Matrix& points, Index most);

// The squared distance up to which embedded points are one but for rounding.
double same_place(const MatrixView<double>& points);

// k-means|| (Bahmani et al. 2012): in each of a few rounds a device sends each of its samples with
// probability l d^2 / phi, phi being the sum of d^2 over all devices.
inline constexpr Index parallel_rounds = 5;
double oversampling(Index clusters);  // l = 2 k

double cost_of(const MatrixView<double>& embedded, const MatrixView<double>& candidates);  // its share of phi
// The samples it sends, r x any. `odds`: l / phi. Without candidates: a single one.
Matrix drawn_samples(const MatrixView<double>& embedded, const MatrixView<double>& candidates, double odds,
                     Rng& rng);
// How many samples are nearest to each candidate.
Vector weights_of(const MatrixView<double>& embedded, const MatrixView<double>& candidates);

}  // namespace choir::federated_kmeans
