// The whole library in one include.
//
//   const choir::Dataset digits = choir::read_dataset("datasets/digits.npz:images");
//   const auto shards = choir::split_samples(digits, "iid", 20, 0);
//   const choir::consensus_kpca::Fit fit = choir::fit_consensus_kpca(
//       *choir::make_engine("local"), choir::make_topology("ring:4", 20, 0), shards, {});
//   const choir::Model model = model_of(fit.at(0), choir::consensus_kpca::Answer::shared);
//   const choir::Matrix scores = transform(model, digits.samples);
#pragma once

#include "choir/data/dataset.h"
#include "choir/data/partition.h"
#include "choir/data/shards.h"
#include "choir/data/stream.h"
#include "choir/data/writer.h"
#include "choir/graph/topology.h"
#include "choir/kernel/bandwidth.h"
#include "choir/kernel/gram.h"
#include "choir/learn/assessment/assessment.h"
#include "choir/learn/assessment/score_moments.h"
#include "choir/learn/central/kernel_pca.h"
#include "choir/learn/central/local_kpca.h"
#include "choir/learn/central/pca.h"
#include "choir/learn/central/yardsticks.h"
#include "choir/learn/consensus_kpca/consensus_kpca.h"
#include "choir/learn/consensus_kpca/models.h"
#include "choir/learn/consensus_kpca/quality.h"
#include "choir/learn/federated_kmeans/federated_kmeans.h"
#include "choir/learn/federated_kmeans/quality.h"
#include "choir/learn/gossip_pca/gossip_pca.h"
#include "choir/learn/gossip_pca/models.h"
#include "choir/learn/gossip_pca/quality.h"
#include "choir/learn/oneshot_kpca/oneshot_kpca.h"
#include "choir/learn/oneshot_kpca/quality.h"
#include "choir/learn/online_kernel/online_kernel.h"
#include "choir/learn/parts/projection.h"
#include "choir/metrics/subspace.h"
#include "choir/model/model_file.h"
#include "choir/run/run.h"
#include "choir/runtime/blocks/average.h"
#include "choir/runtime/blocks/extremes.h"
#include "choir/runtime/blocks/flood.h"
#include "choir/runtime/blocks/gossip.h"
#include "choir/runtime/blocks/stop.h"
#include "choir/runtime/blocks/tree.h"
#include "choir/runtime/blocks/tree_sum.h"
#include "choir/runtime/engines.h"
#include "choir/runtime/process_group.h"
