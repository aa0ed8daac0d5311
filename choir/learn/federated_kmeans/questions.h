// What a coordinator says to devices: questions for sums, requests to publish, and statements.
//
//   Message question = lloyd_question(runs.question(), round);
//   word_of(question)            // Word::lloyd
//   manner_of(Word::lloyd)       // Manner::sum
#pragma once

#include <cstdint>

#include "choir/learn/features/centroids.h"
#include "choir/learn/federated_kmeans/lloyd.h"
#include "choir/linalg/moments.h"
#include "choir/model/cluster_model.h"
#include "choir/runtime/message.h"

namespace choir::federated_kmeans {

enum class Word : std::int64_t {
  means,     // sums of x, for each feature or for all entries
  squares,   // sums of (x - mean)^2, for each feature or for all entries
  gram,      // the triangle of W'W
  product,   // W'W c
  tally,     // counts of clusters, and how many samples have changed theirs
  lloyd,     // sums and squared distances of clusters that may be opened
  cost,      // k-means||: squared distances to the candidates
  weigh,     // k-means||: how many samples are nearest to each candidate
  appraise,  // counts, squared distances and silhouettes of clusters
  noisy,     // sums and counts of clusters, under noise
  trace,     // the traces of K and of W'W
  centroids,
  draw,  // k-means||: embedded samples
  preprocessing,
  kernel,
  landmarks,
  stage,  // random features to go on with
  map,    // from W to the embedding
  clusters,
};
enum class Manner { sum, publication, statement };

// Throws Error(BadData) if it is none.
Word word_of(const Message& message);
Manner manner_of(Word word);
Index round_of(const Message& question);

// Of each feature, or of all entries together. Answer: 1 x M or 1 x 1.
Message means_question(bool of_entries, Index round);
// mean: M x 1, or 1 x 1 for all entries together. Answer: 1 x M or 1 x 1.
Message squares_question(const Vector& mean, Index round);
Message gram_question(Index round);
Message product_question(const Vector& vector, Index round);
// `before`: as many centres as there are now.
Message tally_question(RunCentres centres, Matrix before, Index round);
Message lloyd_question(RunCentres centres, Index round);
Message appraise_question(RunCentres centres, Index round);
// For one run of k-means; answered under noise alone.
Message noisy_question(Matrix centres, Index round);
// Of each of the first three. Throws Error(BadData) if the sizes of the runs, or the marks of opened
// clusters, are not those of the centres.
RunCentres centres_in(const Message& question);
Message trace_question(Index round);
Message cost_question(Matrix candidates, Index round);
Message weigh_question(Matrix candidates, Index round);
Message centroids_request(Index devices, Index round);
Message draw_request(Matrix candidates, double odds, Index round);

Message preprocessing_statement(const Preprocessing& preprocessing);
Message kernel_statement(double gamma);
Message landmarks_statement(Matrix points, Matrix whitening, Kind kind);
Message stage_statement(const RandomFeaturesOptions& random, double eta);
Message map_statement(Matrix map);

struct FoundClusters {
  Matrix centroids;  // r x k
  Vector counts;     // k
  double inertia = 0;
  Index samples = 0;
  Index iterations = 0;
  bool converged = false;
};
Message clusters_statement(const FoundClusters& found);
FoundClusters clusters_in(const Message& statement);

// What a device publishes, of kind centroids, raw_samples or features.
Message publication(CountedCentroids points, Kind kind);
// Throws Error(BadData) naming the device for points of another length, or counts that cannot be.
CountedCentroids published_in(const Message& message, NodeId device, Index length);
CountedCentroids beside(const CountedCentroids& a, const CountedCentroids& b);

}  // namespace choir::federated_kmeans
