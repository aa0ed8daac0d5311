#include "choir/cli/federated_arguments.h"

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/cli/parsed.h"

namespace choir::cli {
namespace {

bool parse_masks(const std::string& text, Coordination coordination) {
  if (text == "auto") return coordination == Coordination::server;
  if (text == "on") return true;
  if (text == "off") return false;
  fail(ErrorCategory::InvalidArgument, "masks is '{}'; it must be on, off or auto", text);
}

void add_embedding_options(CLI::App& command, FederatedArguments& arguments) {
  const std::string group = "Embedding";
  command
      .add_option("--embedding", arguments.embedding,
                  "nystroem (landmarks made of the devices' centroids), fea (random features, drawn anew in "
                  "every iteration) or random-features")
      ->group(group);
  command.add_option("--rank", arguments.method.rank, "numbers of an embedded sample; 0: twice the clusters")
      ->group(group);
  command.add_option("--n-landmarks", arguments.method.landmarks, "of nystroem")->group(group);
  command.add_option("--n-features", arguments.method.random_features, "of fea and random-features")
      ->group(group);
  command.add_option("--fea-iterations", arguments.method.fea_iterations, "of fea")->group(group);
  command
      .add_option("--eigen-route", arguments.eigen_route,
                  "how eigenvectors of the devices' sum are found: gram (it is sent), cela (Lanczos), "
                  "capped-cela (a few steps of it), or cheapest, by the numbers sent")
      ->group(group);
}

void add_clustering_options(CLI::App& command, FederatedArguments& arguments) {
  const std::string group = "Clusters";
  command.add_option("--n-clusters", arguments.method.clusters, "how many")->group(group);
  command
      .add_option("--seeding", arguments.seeding,
                  "centroids (k-means++ on what devices publish) or parallel (k-means||: devices send "
                  "embedded samples; not with masks)")
      ->group(group);
  command.add_option("--restarts", arguments.method.restarts, "the best of so many seedings counts")
      ->group(group);
  command.add_option("--min-count", arguments.method.min_count, "samples behind every centroid published")
      ->group(group);
  command
      .add_option("--local-centroids", arguments.method.local_centroids,
                  "a device publishes at most; 0: as many as the landmarks and clusters need")
      ->group(group);
}

void add_federation_options(CLI::App& command, FederatedArguments& arguments) {
  const std::string group = "Federation";
  command
      .add_option("--coordination", arguments.coordination,
                  "server (a node of its own beside the devices, which sees sums alone) or gossip (none: any "
                  "network)")
      ->group(group);
  command
      .add_option(
          "--masks", arguments.masks,
          "on: devices hide their sums from the server behind masks that cancel; off; auto: on with a "
          "server")
      ->group(group);
  command
      .add_option("--min-devices", arguments.method.min_devices, "answers that a sum must be of, at least")
      ->group(group);
  command
      .add_option(
          "--patience", arguments.patience,
          "how long the server waits for an answer before it goes on without; the deadline if left out")
      ->group(group);
  command
      .add_option("--messages-per-node", arguments.method.gossip_messages,
                  "for each sum, without a server; 0: averages until all nodes agree")
      ->group(group);
}

}  // namespace

FederatedArguments::FederatedArguments() {
  fit.tol = method.tol;
  fit.max_iter = method.max_iter;
}

void add_federated_options(CLI::App& command, FederatedArguments& arguments) {
  add_fit_options(command, arguments.fit,
                  {.tol = "squared movement of all centroids, relative to the mean variance",
                   .max_iter = "iterations of Lloyd",
                   .precision = "",
                   .components = false});
  add_network_options(command, arguments.fit,
                      {.automatic_topology =
                           "a star around the server; without one ring:4, or complete for less than 5 nodes",
                       .yardsticks = "compare with kernel k-means of all samples in one place"});
  add_embedding_options(command, arguments);
  add_clustering_options(command, arguments);
  add_federation_options(command, arguments);
}

FederatedKmeansOptions method_of(const FederatedArguments& arguments) {
  FederatedKmeansOptions method = arguments.method;
  method.embedding = parse_cluster_embedding(arguments.embedding);
  method.eigen_route = parse_eigen_route(arguments.eigen_route);
  method.seeding = parse_cluster_seeding(arguments.seeding);
  method.coordination = parse_coordination(arguments.coordination);
  method.masked = parse_masks(arguments.masks, method.coordination);
  method.kernel = arguments.fit.kernel_with(1);
  method.gamma = parse_gamma(arguments.fit.gamma);
  method.preprocessing = arguments.fit.preprocessing();
  method.tol = arguments.fit.tol;
  method.max_iter = arguments.fit.max_iter;
  if (!arguments.patience.empty()) method.patience = parsed("--patience", arguments.patience, parse_duration);
  validate(method);
  return method;
}

}  // namespace choir::cli
