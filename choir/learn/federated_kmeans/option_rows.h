// The rows of a table that set these options: what each is called, and one line of help. `Rows` is whatever
// makes such a table (run/option.h), which nothing here needs to know.
#pragma once

#include "choir/learn/federated_kmeans/options.h"

namespace choir::federated_kmeans {

template <class Rows>
void add_cluster_rows(Rows clusters) {
  clusters
      .add("n-clusters", &Options::n_clusters, "auto",
           "number of clusters; auto: the one with the best silhouette, from 2 to --max-clusters")
      .at_least(1)
      .in_short_help();
  clusters.add("max-clusters", &Options::max_clusters, "most clusters that --n-clusters auto tries")
      .at_least(2);
  clusters.add("seeding", &Options::seeding,
               "centroids (k-means++ on what devices publish) or parallel (k-means||: devices send embedded "
               "samples; not with masks)");
  clusters
      .add("restarts", &Options::restarts, "auto",
           "number of k-means restarts; the best is kept; auto: 10 to 100, by the numbers that they send")
      .at_least(1);
  clusters
      .add("min-count", &Options::min_count,
           "samples behind every published centroid, and every category of a table")
      .at_least(1);
  clusters
      .add("local-centroids", &Options::local_centroids,
           "most centroids that a device publishes; 0: as many as the landmarks and clusters need")
      .at_least(0);
}

template <class Rows>
void add_embedding_rows(Rows embedding) {
  embedding
      .add("embedding", &Options::embedding,
           "nystroem (landmarks made of the devices' centroids), fea (random features, drawn anew in every "
           "iteration) or random-features, which --privacy takes")
      .in_short_help();
  embedding
      .add("rank", &Options::rank, "auto",
           "numbers per embedded sample; auto: as many as keep 95% of the trace of the devices' sum (twice "
           "the number of clusters with fea, cela and capped-cela)")
      .at_least(1);
  embedding.add("n-landmarks", &Options::n_landmarks, "number of landmarks of nystroem").at_least(1);
  embedding
      .add("n-features", &Options::n_features,
           "number of features of fea and random-features; default with --privacy: 200")
      .at_least(1);
  embedding.add("fea-iterations", &Options::fea_iterations, "number of iterations of fea").at_least(1);
  embedding.add("eigen-route", &Options::eigen_route,
                "how eigenvectors of the devices' sum are found: gram (the sum is sent), cela (Lanczos), "
                "capped-cela (a few Lanczos steps), or cheapest, by the numbers sent");
}

template <class Rows>
void add_federation_rows(Rows federation) {
  federation
      .add("coordination", &Options::coordination,
           "server (a node of its own beside the devices, which sees only sums) or gossip (no server, any "
           "network)")
      .in_short_help();
  federation
      .add(
          "masks", &Options::masks,
          "on: devices hide their sums from the server behind masks that cancel; off; auto: on with a server")
      .in_short_help();
  federation.add("min-devices", &Options::min_devices, "fewest answers that a sum may be of").at_least(2);
  federation.add("patience", &Options::patience, "deadline",
                 "how long the server waits for an answer before it continues without the device");
  federation
      .add("messages-per-node", &Options::messages_per_node,
           "messages per node and sum, without a server; 0: until all nodes agree")
      .at_least(0);
}

}  // namespace choir::federated_kmeans
