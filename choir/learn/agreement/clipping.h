// Samples whose outliers are brought back to where the others are, so that a few of them cannot spoil what
// nodes agree on: means, deviations, gamma.
//
//   const Samples tame = co_await agreed_clipped(node, first_samples);
//   const Preprocessing preprocessing = co_await agreed_preprocessing(node, wish, tame);
//
// The bounds of a feature are its 0.15% and 99.85% quantiles over all nodes (of few samples: those with 3
// samples beyond, at most 5%), each moved outwards by their distance: 9 deviations from the mean of Gaussian
// samples (of few samples 5), so that clean samples stay as they are. A feature of which most values are the
// same, that is whose 3% and 97% quantiles are (of few samples: 20 times as many beyond as above, at most a
// quarter), has too few other values for that: they keep twice the widest distance of any feature.
//
// The quantiles are found by counting: in each of 10 rounds the nodes add up how many of their samples lie
// below each of 15 edges, and the interval between two of them is cut again. The search begins with a power
// of two above all nodes' samples. All counts are summed under masks (runtime/blocks/secure_sum): the network
// learns 60 per feature and round, of all samples.
#pragma once

#include "choir/linalg/types.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

// One interval per column: 2 x L, low above high.
using Intervals = Matrix;

// Quantiles by counting. Pure mathematics.
//
// The inner edges that cut an interval into 16: 15 x L.
Matrix inner_edges(const Intervals& intervals);
// How many of a feature's values lie below each edge: 15 x L counts; `values`: L x N.
Matrix count_below(const Matrix& edges, const MatrixView<double>& values);
// Of the 16 parts of each interval the one in which `rank` values lie below its upper end for the first time.
Intervals narrowed(const Intervals& intervals, const Matrix& counts, double rank);

// The intervals that a low quantile lies in and the high one with as many samples beyond it.
struct QuantilePair {
  Intervals low;
  Intervals high;
};

// The outer quantiles, moved outwards by their distance. A feature whose inner quantiles are the same, as far
// as the intervals tell, has twice the widest distance of any feature instead; if no feature has a distance,
// nothing is clipped.
Intervals outlier_bounds(const QuantilePair& outer, const QuantilePair& inner);
void clip(const Intervals& bounds, Samples& samples);

// M x N each. A node may have no samples, but not all nodes.
Task<Samples> agreed_clipped(Node& node, Samples samples);

}  // namespace choir
