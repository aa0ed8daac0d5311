// The whole library in one include.
//
//   const choir::Dataset digits = choir::read_dataset("datasets/digits.npz:images");
//   const choir::CentralKpca fit = choir::central_kernel_pca(digits.samples, {.kernel = {.gamma = 2e-7}});
//   const choir::Matrix scores = fit.model.transform(digits.samples);
#pragma once

#include "choir/data/dataset.h"
#include "choir/data/partition.h"
#include "choir/data/shards.h"
#include "choir/data/writer.h"
#include "choir/graph/topology.h"
#include "choir/kernel/bandwidth.h"
#include "choir/kernel/gram.h"
#include "choir/learn/central/kernel_pca.h"
#include "choir/learn/central/local_kpca.h"
#include "choir/learn/central/pca.h"
#include "choir/learn/central/yardsticks.h"
#include "choir/metrics/subspace.h"
#include "choir/model/model_file.h"
#include "choir/runtime/blocks/average.h"
#include "choir/runtime/blocks/extremes.h"
#include "choir/runtime/blocks/flood.h"
#include "choir/runtime/blocks/gossip.h"
#include "choir/runtime/blocks/stop.h"
#include "choir/runtime/blocks/tree.h"
#include "choir/runtime/blocks/tree_sum.h"
#include "choir/runtime/engines.h"
