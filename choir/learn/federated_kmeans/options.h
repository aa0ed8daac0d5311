// What a user decides about federated kernel k-means; README.md beside this has the equations.
//
//   federated_kmeans::Options options;
//   options.n_clusters = 10;
//   options.embedding = federated_kmeans::Embedding::fea;
#pragma once

#include <optional>

#include "choir/base/choices.h"
#include "choir/base/deadline.h"
#include "choir/base/types.h"
#include "choir/kernel/bandwidth.h"
#include "choir/kernel/kernel.h"
#include "choir/learn/privacy/privacy_options.h"
#include "choir/model/preprocessing.h"

namespace choir::federated_kmeans {

using choir::to_string;

enum class Embedding {
  nystroem,         // on landmarks that the server makes of the devices' centroids
  fea,              // random features, redrawn in every iteration
  random_features,  // random features, drawn once
};
enum class EigenRoute {  // how the server finds eigenvectors of a sum that the devices have
  cheapest,              // whichever of the next and the last sends fewer numbers
  gram,                  // the matrix itself
  cela,                  // Lanczos: products with vectors, until the eigenvectors are there
  capped_cela,           // Lanczos, rank + 5 products
};
enum class Seeding {
  centroids,  // k-means++ at the server on what devices published
  parallel,   // k-means||: devices draw embedded samples, which they send
};
enum class Coordination {
  server,  // a star: the last node asks, all others answer
  gossip,  // any connected network without a server
};

enum class Masks {
  automatic,  // on with a server, off without
  on,         // the server sees sums over devices and no device's own
  off,
};

ChoiceNames<Embedding> choice_names(Embedding);
ChoiceNames<EigenRoute> choice_names(EigenRoute);
ChoiceNames<Seeding> choice_names(Seeding);
ChoiceNames<Coordination> choice_names(Coordination);
ChoiceNames<Masks> choice_names(Masks);

struct Options {
  std::optional<Index> n_clusters = 10;  // k; nothing: the one of 2 .. max_clusters with the best silhouette
  Index max_clusters = 10;
  Embedding embedding = Embedding::nystroem;
  Kernel kernel = {};
  GammaSpec gamma = {};              // in place of kernel.gamma, if the kernel has one
  Preprocessing preprocessing = {};  // as wished for; the sums of zscore are agreed

  std::optional<Index> rank = {};  // r, numbers of an embedded sample; nothing: see ranks_by_trace()
  Index n_landmarks = 100;         // q
  Index n_features = 400;          // D, random features
  Index fea_iterations = 10;       // T
  EigenRoute eigen_route = EigenRoute::cheapest;

  Index min_count = 5;        // samples behind every centroid that a device publishes
  Index local_centroids = 0;  // most that a device publishes; 0: see local_centroid_count()
  Seeding seeding = Seeding::centroids;
  std::optional<Index> restarts = {};  // nothing: see restart_count()
  double tol = 1e-4;  // on the squared movement of all centres, relative to the mean variance
  Index max_iter = 300;

  Masks masks = Masks::automatic;
  Index min_devices = 2;
  std::optional<Duration> patience = {};  // with a silent device; nothing: the run's deadline
  Coordination coordination = Coordination::server;
  Index messages_per_node = 0;  // of a node for each sum, without a server; 0: averages until all nodes agree

  PrivacyOptions privacy = {};  // differential privacy; README.md of learn/privacy
};

// Throws Error(InvalidArgument) for what cannot be: numbers out of range, options that exclude each other.
void validate(const Options& options);

bool uses_masks(const Options& options);
Index most_clusters(const Options& options);

// Whether the rank is the smallest that keeps `kept_trace` of the trace of the devices' sum. It takes the
// whole spectrum, which fea does not look for in every iteration, and neither do products with vectors: with
// these the rank is 2 k.
bool ranks_by_trace(const Options& options);
inline constexpr double kept_trace = 0.95;
// r, or the most that it can be.
Index embedding_rank(const Options& options);

// How many starts: as many as a question of about 5000 numbers has room for, from 10 to 100. Few clusters of
// few dimensions take many, and need them: their k-means has poor optima with large basins. `centres`: of one
// start, or of one for each number of clusters that is tried; `rank`: of the embedding.
inline constexpr Index fewest_restarts = 10;
inline constexpr Index most_automatic_numbers = 5000;
Index restart_count(const Options& options, Index centres, Index rank);

// How many centroids a device publishes: enough that all devices' are twice the landmarks and every device's
// twice the clusters, as far as its samples allow.
Index local_centroid_count(const Options& options, Index devices, Index samples);

// A device with no more samples than this does not take part in sums without masks: they would show them.
Index fewest_unmasked(const Options& options);

}  // namespace choir::federated_kmeans
