// Which sums of clusters may be opened. Counts come first: a cluster of few samples stays closed and keeps
// its centre, and so do others if those that are closed would be few together, as what is left of a total
// shows them. A run of which few samples have changed their cluster is not opened again: the difference would
// be the sum of these few.
//
//   const Matrix tally = <sum over devices of tally_sums(embedded, centres, before)>;
//   centres.opened = opened_in_order(opened_clusters(tally, centres.sizes, {.fresh = fresh, .least = 5}));
//   const Matrix sums = completed(<sum over devices of lloyd_sums(embedded, centres)>, tally, centres);
#pragma once

#include <vector>

#include "choir/learn/federated_kmeans/lloyd.h"
#include "choir/linalg/types.h"

namespace choir::federated_kmeans {

// A column for each centre: how many samples, and in the first column of each run how many of them are in
// another cluster than among the centres `before`, which are as many. 2 x (k_1 + ...).
Matrix tally_sums(const MatrixView<double>& embedded, const RunCentres& centres, const Matrix& before);

struct OpeningRule {
  std::vector<bool> fresh;  // runs that have not been opened before
  Index least = 5;          // samples
};
// 1 for each cluster whose sums may be opened, else 0. 1 x (k_1 + ...).
Matrix opened_clusters(const Matrix& tally, const std::vector<Index>& sizes, const OpeningRule& rule);
std::vector<bool> opened_in_order(const Matrix& opened);

// Sums of all clusters as Lloyd's iterations take them: closed ones stay where they are.
Matrix completed(Matrix sums, const Matrix& tally, const RunCentres& centres);

}  // namespace choir::federated_kmeans
