// Samples whose outliers are brought back to where the others are, so that a few of them cannot spoil what
// nodes agree on: means, deviations, gamma.
//
//   const Samples tame = co_await agreed_clipped(node, first_samples);
//   const Preprocessing preprocessing = co_await agreed_preprocessing(node, wish, tame);
//
// The bounds of a feature are its 0.15% and 99.85% quantiles over all nodes (of few samples: those with 3
// samples beyond, at most 5%), each moved outwards by their distance: 9 deviations from the mean of Gaussian
// samples (of few samples 5), so that clean samples stay as they are. Where nearly all values of a feature
// are the same (less than 3% below it, and above; of few samples 20 times as many as beyond a quantile, at
// most a quarter), the others are too few for that: they keep twice the widest distance of any feature.
//
// The quantiles, and the middle value, are found by counting: in each of 10 rounds the nodes add up how many
// of their samples lie below each of 15 edges, and the interval between two of them is cut again. The search
// begins with a power of two above all nodes' samples. All counts are summed under masks
// (runtime/blocks/secure_sum): the network learns 45 per feature and round, and 2 about the middle value, of
// all samples.
#pragma once

#include "choir/linalg/types.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

// One interval per column: 2 x L, low above high.
using Intervals = Matrix;
using Flags = Eigen::Array<bool, 1, Eigen::Dynamic>;

// Quantiles by counting. Pure mathematics.
//
// The inner edges that cut an interval into 16: 15 x L.
Matrix inner_edges(const Intervals& intervals);
// How many of a feature's values lie below each edge: 15 x L counts; `values`: L x N.
Matrix count_below(const Matrix& edges, const MatrixView<double>& values);
// Of the 16 parts of each interval the one in which `rank` values lie below its upper end for the first time.
Intervals narrowed(const Intervals& intervals, const Matrix& counts, double rank);

// The bounds from the intervals that the two quantiles lie in. A feature that is nearly constant, or whose
// quantiles are the same as far as the intervals tell, gets twice the widest distance of any feature instead
// of its own; if no feature has a distance, nothing is clipped.
Intervals outlier_bounds(const Intervals& low, const Intervals& high, const Flags& nearly_constant);
void clip(const Intervals& bounds, Samples& samples);

// M x N each. A node may have no samples, but not all nodes.
Task<Samples> agreed_clipped(Node& node, Samples samples);

}  // namespace choir
