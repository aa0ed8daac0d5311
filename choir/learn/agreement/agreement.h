// What the nodes of a network agree on before they learn: numbers that depend on all samples, found without
// showing any. Every node gets the same bits, on every engine.
//
//   const Preprocessing preprocessing = co_await agreed_preprocessing(node, wish, shard);
//   preprocessing.apply(shard);
//   const double gamma = co_await agreed_gamma(node, parse_gamma("scale"), shard);
//
// Moments (linalg/moments.h) are two sums under masks (runtime/blocks/secure_sum): nobody sees a part of
// them. The shards are only read, and must stay as they are until the agreement is reached. A node that is
// lost after the first sum has begun ends the run.
#pragma once

#include <utility>
#include <vector>

#include "choir/kernel/bandwidth.h"
#include "choir/linalg/moments.h"
#include "choir/model/preprocessing.h"
#include "choir/runtime/array.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

// The moments of the union of all nodes' samples.
Task<Moments> agreed_moments(Node& node, Moments mine);

// A number is taken as it is. scale is 1 / (M Var X) of the union: three sums are known then. median: where
// no sample may travel, 2 tr Cov of the union stands for the median; 2 M + 1 sums are known then.
Task<double> agreed_gamma(Node& node, GammaSpec spec, SamplesMap shard);
inline Task<double> agreed_gamma(Node& node, GammaSpec spec, const Samples& shard) {
  return agreed_gamma(node, spec, map_of(shard));
}
inline constexpr const char* median_stand_in_note =
    "gamma \"median\": no sample leaves its node here, so 2 tr Cov of all samples stands in for the median "
    "of their squared distances";

// The same where neighbours have seen each other's samples: `shards` are the node's own and theirs. median is
// then that of the distances between the node's own samples and all of these, over all nodes, from a
// histogram of 512 bins with equal ratios: 2 M + 1 and 512 sums are known then.
Task<double> agreed_gamma(Node& node, GammaSpec spec, const std::vector<Array>& shards);

// zscore by means and variances of the union: 2 M + 1 sums are known then. Anything else is taken as it is.
Task<Preprocessing> agreed_preprocessing(Node& node, Preprocessing wish, SamplesMap shard);
inline Task<Preprocessing> agreed_preprocessing(Node& node, Preprocessing wish, const Samples& shard) {
  return agreed_preprocessing(node, std::move(wish), map_of(shard));
}

}  // namespace choir
