#include "choir/learn/federated_kmeans/options.h"

#include <algorithm>
#include <cmath>

#include "choir/base/choices.h"
#include "choir/base/error.h"

namespace choir {
namespace {

constexpr ChoiceNames<ClusterEmbedding, 3> embeddings = {
    {{ClusterEmbedding::nystroem, "nystroem"},
     {ClusterEmbedding::fea, "fea"},
     {ClusterEmbedding::random_features, "random-features"}}};
constexpr ChoiceNames<EigenRoute, 4> routes = {{{EigenRoute::cheapest, "cheapest"},
                                                {EigenRoute::gram, "gram"},
                                                {EigenRoute::cela, "cela"},
                                                {EigenRoute::capped_cela, "capped-cela"}}};
constexpr ChoiceNames<ClusterSeeding, 2> seedings = {
    {{ClusterSeeding::centroids, "centroids"}, {ClusterSeeding::parallel, "parallel"}}};
constexpr ChoiceNames<Coordination, 2> coordinations = {
    {{Coordination::server, "server"}, {Coordination::gossip, "gossip"}}};

void require_at_least(std::string_view what, Index value, Index least) {
  if (value < least)
    fail(ErrorCategory::InvalidArgument, "{} is {}; it must be at least {}", what, value, least);
}

void validate_numbers(const FederatedKmeansOptions& options) {
  require_at_least("n_clusters", options.clusters, 1);
  require_at_least("rank", options.rank, 0);
  require_at_least("landmarks", options.landmarks, 1);
  require_at_least("random_features", options.random_features, 1);
  require_at_least("fea_iterations", options.fea_iterations, 1);
  require_at_least("min_count", options.min_count, 1);
  require_at_least("local_centroids", options.local_centroids, 0);
  require_at_least("restarts", options.restarts, 1);
  require_at_least("max_iter", options.max_iter, 1);
  require_at_least("min_devices", options.min_devices, 2);
  require_at_least("gossip_messages", options.gossip_messages, 0);
  if (!(options.tol >= 0) || !std::isfinite(options.tol))
    fail(ErrorCategory::InvalidArgument, "tol is {}; it must be 0 or more", options.tol);
  if (options.patience && *options.patience <= Duration::zero())
    fail(ErrorCategory::InvalidArgument, "patience is {} ns; it must be positive", options.patience->count());
}

void validate_embedding(const FederatedKmeansOptions& options) {
  const Index most =
      options.embedding == ClusterEmbedding::nystroem ? options.landmarks : options.random_features;
  if (options.rank > most) {
    fail(ErrorCategory::InvalidArgument,
         "rank is {}, but the embedding has no more than {} dimensions to choose from; lower it, or raise {}",
         options.rank, most,
         options.embedding == ClusterEmbedding::nystroem ? "landmarks" : "random_features");
  }
  const KernelKind kind = options.kernel.kind;
  if (options.embedding == ClusterEmbedding::nystroem || kind == KernelKind::rbf ||
      kind == KernelKind::laplacian) {
    return;
  }
  fail(ErrorCategory::InvalidArgument,
       "the embedding {} needs random features, which the kernels rbf and laplacian have, not {}; choose one "
       "of them, or the embedding nystroem",
       to_string(options.embedding), to_string(kind));
}

void validate_gossip(const FederatedKmeansOptions& options) {
  if (options.coordination != Coordination::gossip) return;
  if (options.masked) {
    throw Error(ErrorCategory::InvalidArgument,
                "masks cancel in one sum over all devices, and without a server neighbours add up a few of "
                "them at a time; turn masks off, or use a server");
  }
  if (options.embedding == ClusterEmbedding::fea) {
    throw Error(ErrorCategory::InvalidArgument,
                "fea continues from the basis of its last iteration, and without a server the nodes' bases "
                "differ slightly; choose nystroem or random-features, or use a server");
  }
  if (options.eigen_route == EigenRoute::cela || options.eigen_route == EigenRoute::capped_cela) {
    fail(ErrorCategory::InvalidArgument,
         "eigen_route {} needs a server that sends all devices the same vectors; choose gram or cheapest",
         to_string(options.eigen_route));
  }
}

}  // namespace

ClusterEmbedding parse_cluster_embedding(std::string_view text) {
  return parse_choice(embeddings, "embedding", text);
}
EigenRoute parse_eigen_route(std::string_view text) { return parse_choice(routes, "eigen_route", text); }
ClusterSeeding parse_cluster_seeding(std::string_view text) {
  return parse_choice(seedings, "seeding", text);
}
Coordination parse_coordination(std::string_view text) {
  return parse_choice(coordinations, "coordination", text);
}
std::string_view to_string(ClusterEmbedding choice) { return name_of(embeddings, choice); }
std::string_view to_string(EigenRoute choice) { return name_of(routes, choice); }
std::string_view to_string(ClusterSeeding choice) { return name_of(seedings, choice); }
std::string_view to_string(Coordination choice) { return name_of(coordinations, choice); }

void validate(const FederatedKmeansOptions& options) {
  validate_numbers(options);
  validate_embedding(options);
  validate_gossip(options);
  if (options.seeding == ClusterSeeding::parallel && options.masked) {
    throw Error(ErrorCategory::InvalidArgument,
                "seeding parallel sends single embedded samples in clear, which masked sums are meant to "
                "avoid; choose centroids, or turn masks off");
  }
}

Index embedding_rank(const FederatedKmeansOptions& options) {
  if (options.rank > 0) return options.rank;
  const Index most =
      options.embedding == ClusterEmbedding::nystroem ? options.landmarks : options.random_features;
  return std::min(2 * options.clusters, most);
}

Index local_centroid_count(const FederatedKmeansOptions& options, Index devices, Index samples) {
  if (options.local_centroids > 0) return options.local_centroids;
  const Index share = (2 * options.landmarks + devices - 1) / devices;
  return std::clamp<Index>(samples / options.min_count, 1, std::max(share, 2 * options.clusters));
}

Index fewest_unmasked(const FederatedKmeansOptions& options) {
  switch (options.embedding) {
    case ClusterEmbedding::nystroem:
      return options.landmarks;
    case ClusterEmbedding::fea:
      return embedding_rank(options) + options.random_features;
    case ClusterEmbedding::random_features:
      break;
  }
  return options.random_features;
}

}  // namespace choir
