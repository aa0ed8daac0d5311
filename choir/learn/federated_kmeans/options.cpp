#include "choir/learn/federated_kmeans/options.h"

#include <algorithm>
#include <cmath>

#include "choir/base/error.h"
#include "choir/learn/federated_kmeans/noisy_options.h"
#include "choir/learn/require.h"

namespace choir::federated_kmeans {
namespace {

Index most_rank(const Options& options) {
  return options.embedding == Embedding::nystroem ? options.n_landmarks : options.n_features;
}

void validate_numbers(const Options& options) {
  if (options.n_clusters) require_at_least("n_clusters", *options.n_clusters, 1);
  require_at_least("max_clusters", options.max_clusters, 2);
  if (options.rank) require_at_least("rank", *options.rank, 1);
  require_at_least("n_landmarks", options.n_landmarks, 1);
  require_at_least("n_features", options.n_features, 1);
  require_at_least("fea_iterations", options.fea_iterations, 1);
  require_at_least("min_count", options.min_count, 1);
  require_at_least("local_centroids", options.local_centroids, 0);
  if (options.restarts) require_at_least("restarts", *options.restarts, 1);
  require_at_least("max_iter", options.max_iter, 1);
  require_at_least("min_devices", options.min_devices, 2);
  require_at_least("messages_per_node", options.messages_per_node, 0);
  if (!(options.tol >= 0) || !std::isfinite(options.tol))
    fail(ErrorCategory::InvalidArgument, "tol is {}; it must be 0 or more", options.tol);
  if (options.patience) require_positive("patience", *options.patience);
}

void validate_embedding(const Options& options) {
  const Index most = most_rank(options);
  if (options.rank > most) {
    fail(ErrorCategory::InvalidArgument,
         "rank is {}, but the embedding has no more than {} dimensions to choose from; lower it, or raise {}",
         *options.rank, most, options.embedding == Embedding::nystroem ? "n_landmarks" : "n_features");
  }
  const KernelKind kind = options.kernel.kind;
  if (options.embedding == Embedding::nystroem || kind == KernelKind::rbf || kind == KernelKind::laplacian) {
    return;
  }
  fail(ErrorCategory::InvalidArgument,
       "the embedding {} needs random features, which the kernels rbf and laplacian have, not {}; choose one "
       "of them, or the embedding nystroem",
       to_string(options.embedding), to_string(kind));
}

void validate_gossip(const Options& options) {
  if (options.coordination != Coordination::gossip) return;
  if (uses_masks(options)) {
    throw Error(ErrorCategory::InvalidArgument,
                "masks cancel in one sum over all devices, and without a server neighbours add up a few of "
                "them at a time; turn masks off, or use a server");
  }
  if (options.embedding == Embedding::fea) {
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

constexpr auto embedding_names =
    words_in_order<Embedding::random_features>("nystroem", "fea", "random-features");
ChoiceNames<Embedding> choice_names(Embedding) { return embedding_names; }

constexpr auto eigen_route_names =
    words_in_order<EigenRoute::capped_cela>("cheapest", "gram", "cela", "capped-cela");
ChoiceNames<EigenRoute> choice_names(EigenRoute) { return eigen_route_names; }

constexpr auto seeding_names = words_in_order<Seeding::parallel>("centroids", "parallel");
ChoiceNames<Seeding> choice_names(Seeding) { return seeding_names; }

constexpr auto coordination_names = words_in_order<Coordination::gossip>("server", "gossip");
ChoiceNames<Coordination> choice_names(Coordination) { return coordination_names; }

constexpr auto masks_names = words_in_order<Masks::off>("auto", "on", "off");
ChoiceNames<Masks> choice_names(Masks) { return masks_names; }

void validate(const Options& options) {
  validate_numbers(options);
  validate_noisy(options);
  validate_embedding(options);
  validate_gossip(options);
  if (options.seeding == Seeding::parallel && uses_masks(options)) {
    throw Error(ErrorCategory::InvalidArgument,
                "seeding parallel sends single embedded samples in clear, which masked sums are meant to "
                "avoid; choose centroids, or turn masks off");
  }
}

bool uses_masks(const Options& options) {
  if (options.masks == Masks::automatic) return options.coordination == Coordination::server;
  return options.masks == Masks::on;
}

Index most_clusters(const Options& options) { return options.n_clusters.value_or(options.max_clusters); }

bool ranks_by_trace(const Options& options) {
  const EigenRoute route = options.eigen_route;
  const bool whole_spectrum = route == EigenRoute::cheapest || route == EigenRoute::gram;
  return !options.rank && options.embedding != Embedding::fea && whole_spectrum;
}

Index embedding_rank(const Options& options) {
  if (options.rank) return *options.rank;
  const Index most = most_rank(options);
  return ranks_by_trace(options) ? most : std::min(2 * most_clusters(options), most);
}

Index restart_count(const Options& options, Index centres, Index rank) {
  constexpr Index most = 100;
  const Index possible = most_automatic_numbers / (centres * (rank + 2));
  return options.restarts.value_or(std::clamp(possible, fewest_restarts, most));
}

Index local_centroid_count(const Options& options, Index devices, Index samples) {
  if (options.local_centroids > 0) return options.local_centroids;
  const Index share = (2 * options.n_landmarks + devices - 1) / devices;
  return std::clamp<Index>(samples / options.min_count, 1, std::max(share, 2 * most_clusters(options)));
}

Index fewest_unmasked(const Options& options) {
  switch (options.embedding) {
    case Embedding::nystroem:
      return options.n_landmarks;
    case Embedding::fea:
      return embedding_rank(options) + options.n_features;
    case Embedding::random_features:
      break;
  }
  return options.n_features;
}

}  // namespace choir::federated_kmeans
