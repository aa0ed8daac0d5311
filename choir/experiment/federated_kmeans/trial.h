// What the experiments of federated-kmeans have in common: images, devices and a run in the simulator.
//
//   const ClusterTrial trial = cluster_trial(digits, 1500, seed);
//   const std::vector<Index> order = by_label(trial.images);
//   const auto shards = cut_columns(take_samples(trial.images, order).samples, 10);
//   const federated_kmeans::Fit fit = run_devices(shards, method, trial.seed, options);
//   const std::vector<std::int64_t> labels = labels_of(fit, order);      // of trial.images
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "choir/data/dataset.h"
#include "choir/experiment/experiment.h"
#include "choir/kernel/kernel.h"
#include "choir/learn/federated_kmeans/federated_kmeans.h"
#include "choir/linalg/types.h"

namespace choir {

struct ClusterTrial {
  std::uint64_t seed = 0;
  Dataset images;  // drawn without replacement, pixels between 0 and 1
  Kernel kernel;   // rbf, gamma = 4 / (2 median ||x - y||^2)
  Matrix gram;     // N x N
};
ClusterTrial cluster_trial(const Dataset& digits, Index samples, std::uint64_t seed);

// Orders in which images are dealt out: as they were drawn, or labels ascending, so that devices see one
// label each, or few.
std::vector<Index> as_drawn(const Dataset& images);
std::vector<Index> by_label(const Dataset& images);

// Its defaults with the trial's kernel, five restarts, and the rank 2 k that the embedding's error is
// measured at.
federated_kmeans::Options method_for(const ClusterTrial& trial, federated_kmeans::Embedding embedding);

using Audit = std::function<void(NodeId from, NodeId to, const Message& message)>;
// In the simulator: a star whose last node is the server, or, without one, a ring with four neighbours each.
federated_kmeans::Fit run_devices(std::vector<Samples> shards, const federated_kmeans::Options& method,
                                  std::uint64_t seed, const ExperimentOptions& options, Audit audit = {},
                                  const federated_kmeans::Study& study = {});

// All devices' labels. Sample n of those that were dealt out was image order[n]; labels are by image.
std::vector<std::int64_t> labels_of(const federated_kmeans::Fit& fit, const std::vector<Index>& order);

// `share` of the devices are silent in every round from that one on, others each time. 0: nobody.
std::function<bool(NodeId device, Index round)> dropped_out(double share, Index devices, Index from_round,
                                                            std::uint64_t seed);

}  // namespace choir
