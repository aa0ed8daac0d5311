// What a user decides about federated kernel k-means; README.md beside this has the equations.
//
//   FederatedKmeansOptions options;
//   options.clusters = 10;
//   options.embedding = ClusterEmbedding::fea;
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "choir/base/deadline.h"
#include "choir/base/progress.h"
#include "choir/base/types.h"
#include "choir/kernel/bandwidth.h"
#include "choir/kernel/kernel.h"
#include "choir/model/preprocessing.h"

namespace choir {

enum class ClusterEmbedding {
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
enum class ClusterSeeding {
  centroids,  // k-means++ at the server on what devices published
  parallel,   // k-means||: devices draw embedded samples, which they send
};
enum class Coordination {
  server,  // a star: the last node asks, all others answer
  gossip,  // any connected network without a server
};

// Each throws Error(InvalidArgument) naming the choices.
ClusterEmbedding parse_cluster_embedding(std::string_view text);
EigenRoute parse_eigen_route(std::string_view text);
ClusterSeeding parse_cluster_seeding(std::string_view text);
Coordination parse_coordination(std::string_view text);
std::string_view to_string(ClusterEmbedding choice);
std::string_view to_string(EigenRoute choice);
std::string_view to_string(ClusterSeeding choice);
std::string_view to_string(Coordination choice);

class FeatureStore;  // learn/features/feature_store.h

struct FederatedKmeansOptions {
  Index clusters = 10;  // k
  ClusterEmbedding embedding = ClusterEmbedding::nystroem;
  Kernel kernel = {};
  GammaSpec gamma = {};              // in place of kernel.gamma, if the kernel has one
  Preprocessing preprocessing = {};  // as wished for; the sums of zscore are agreed

  Index rank = 0;               // r, numbers of an embedded sample; 0: 2 k
  Index landmarks = 100;        // q
  Index random_features = 400;  // D
  Index fea_iterations = 10;    // T
  EigenRoute eigen_route = EigenRoute::cheapest;

  Index min_count = 5;        // samples behind every centroid that a device publishes
  Index local_centroids = 0;  // most that a device publishes; 0: see local_centroid_count()
  ClusterSeeding seeding = ClusterSeeding::centroids;
  Index restarts = 5;
  double tol = 1e-4;  // on the squared movement of all centres, relative to the mean variance
  Index max_iter = 300;

  bool masked = true;  // the server sees sums over devices and no device's own
  Index min_devices = 2;
  std::optional<Duration> patience = {};  // with a silent device; nothing: the run's deadline
  Coordination coordination = Coordination::server;
  Index gossip_messages = 0;  // of a node for each sum, without a server; 0: averages until all nodes agree

  // Experiments: devices that do not answer in a round. All products of one eigendecomposition are a round.
  std::function<bool(NodeId device, Index round)> absent = {};
  Watch watch = {};

  // fit_federated_kmeans() fills these in: what all nodes have in common.
  std::uint64_t seed = 0;
  Index features = 0;  // M
  std::shared_ptr<FeatureStore> store = {};
};

// Throws Error(InvalidArgument) for what cannot be: numbers out of range, options that exclude each other.
void validate(const FederatedKmeansOptions& options);

Index embedding_rank(const FederatedKmeansOptions& options);

// How many centroids a device publishes: enough that all devices' are twice the landmarks and every device's
// twice the clusters, as far as its samples allow.
Index local_centroid_count(const FederatedKmeansOptions& options, Index devices, Index samples);

// A device with no more samples than this does not take part in sums without masks: they would show them.
Index fewest_unmasked(const FederatedKmeansOptions& options);

}  // namespace choir
