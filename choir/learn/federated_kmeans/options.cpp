#include "choir/learn/federated_kmeans/options.h"

#include <algorithm>
#include <cmath>

#include "choir/base/error.h"

namespace choir::federated_kmeans {
namespace {

void require_at_least(std::string_view what, Index value, Index least) {
  if (value < least)
    fail(ErrorCategory::InvalidArgument, "{} is {}; it must be at least {}", what, value, least);
}

void validate_numbers(const Options& options) {
  require_at_least("n_clusters", options.n_clusters, 1);
  require_at_least("rank", options.rank, 0);
  require_at_least("n_landmarks", options.n_landmarks, 1);
  require_at_least("n_features", options.n_features, 1);
  require_at_least("fea_iterations", options.fea_iterations, 1);
  require_at_least("min_count", options.min_count, 1);
  require_at_least("local_centroids", options.local_centroids, 0);
  require_at_least("restarts", options.restarts, 1);
  require_at_least("max_iter", options.max_iter, 1);
  require_at_least("min_devices", options.min_devices, 2);
  require_at_least("messages_per_node", options.messages_per_node, 0);
  if (!(options.tol >= 0) || !std::isfinite(options.tol))
    fail(ErrorCategory::InvalidArgument, "tol is {}; it must be 0 or more", options.tol);
  if (options.patience && *options.patience <= Duration::zero())
    fail(ErrorCategory::InvalidArgument, "patience is {} ns; it must be positive", options.patience->count());
}

void validate_embedding(const Options& options) {
  const Index most = options.embedding == Embedding::nystroem ? options.n_landmarks : options.n_features;
  if (options.rank > most) {
    fail(ErrorCategory::InvalidArgument,
         "rank is {}, but the embedding has no more than {} dimensions to choose from; lower it, or raise {}",
         options.rank, most, options.embedding == Embedding::nystroem ? "n_landmarks" : "n_features");
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
                "them at a time; say that sums are not masked, or use a server");
  }
  if (options.embedding == Embedding::fea) {
    throw Error(ErrorCategory::InvalidArgument,
                "fea goes on from the basis of its last iteration, and nodes without a server have slightly "
                "different ones; choose nystroem or random-features, or use a server");
  }
  if (options.eigen_route == EigenRoute::cela || options.eigen_route == EigenRoute::capped_cela) {
    fail(ErrorCategory::InvalidArgument,
         "eigen_route {} needs a server that sends all devices the same vectors; choose gram or cheapest",
         to_string(options.eigen_route));
  }
}

}  // namespace

ChoiceNames<Embedding> choice_names(Embedding) {
  static constexpr std::array<ChoiceName<Embedding>, 3> names = {
      {{Embedding::nystroem, "nystroem"},
       {Embedding::fea, "fea"},
       {Embedding::random_features, "random-features"}}};
  return names;
}

ChoiceNames<EigenRoute> choice_names(EigenRoute) {
  static constexpr std::array<ChoiceName<EigenRoute>, 4> names = {{{EigenRoute::cheapest, "cheapest"},
                                                                   {EigenRoute::gram, "gram"},
                                                                   {EigenRoute::cela, "cela"},
                                                                   {EigenRoute::capped_cela, "capped-cela"}}};
  return names;
}

ChoiceNames<Seeding> choice_names(Seeding) {
  static constexpr std::array<ChoiceName<Seeding>, 2> names = {
      {{Seeding::centroids, "centroids"}, {Seeding::parallel, "parallel"}}};
  return names;
}

ChoiceNames<Coordination> choice_names(Coordination) {
  static constexpr std::array<ChoiceName<Coordination>, 2> names = {
      {{Coordination::server, "server"}, {Coordination::gossip, "gossip"}}};
  return names;
}

ChoiceNames<Masks> choice_names(Masks) {
  static constexpr std::array<ChoiceName<Masks>, 3> names = {
      {{Masks::automatic, "auto"}, {Masks::on, "on"}, {Masks::off, "off"}}};
  return names;
}

void validate(const Options& options) {
  validate_numbers(options);
  validate_embedding(options);
  validate_gossip(options);
  if (options.seeding == Seeding::parallel && uses_masks(options)) {
    throw Error(ErrorCategory::InvalidArgument,
                "seeding parallel sends single embedded samples in the open, which masked sums are there to "
                "avoid; choose centroids, or say that sums are not masked");
  }
}

bool uses_masks(const Options& options) {
  if (options.masks == Masks::automatic) return options.coordination == Coordination::server;
  return options.masks == Masks::on;
}

Index embedding_rank(const Options& options) {
  if (options.rank > 0) return options.rank;
  const Index most = options.embedding == Embedding::nystroem ? options.n_landmarks : options.n_features;
  return std::min(2 * options.n_clusters, most);
}

Index local_centroid_count(const Options& options, Index devices, Index samples) {
  if (options.local_centroids > 0) return options.local_centroids;
  const Index share = (2 * options.n_landmarks + devices - 1) / devices;
  return std::clamp<Index>(samples / options.min_count, 1, std::max(share, 2 * options.n_clusters));
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
