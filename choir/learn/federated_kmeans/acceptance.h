// What a device checks before it uses what it is told or answers what it is asked. Whoever asks may be broken
// or curious: sizes and values must fit the device's own options, and a statistic is summed in one round
// only.
//
//   require_matrix({.device = 3, .what = "landmarks"}, points, {.rows = 8, .most_columns = 100});
//   require_runs(3, centres, rank, options);
//   statistics.take_up(3, Word::gram, step, round);      // throws if another round has summed it
//
// All throw Error(BadData) that names the device.
#pragma once

#include <map>
#include <string_view>
#include <utility>

#include "choir/learn/federated_kmeans/lloyd.h"
#include "choir/learn/federated_kmeans/options.h"
#include "choir/learn/federated_kmeans/questions.h"
#include "choir/linalg/types.h"

namespace choir::federated_kmeans {

struct Told {
  NodeId device = 0;
  std::string_view what;
};
struct Allowed {
  Index rows = 0;
  Index most_columns = 0;
};
// That many rows, 1 to so many columns, finite entries.
void require_matrix(const Told& told, const MatrixView<double>& matrix, const Allowed& allowed);

// Centres that the server needs in one question at most: of all restarts, and of all swaps. `rank`: of the
// embedding.
Index most_centres(const Options& options, Index rank);
// Finite centres of the embedding's length, of runs that may have so many clusters, and no more than that.
void require_runs(NodeId device, const RunCentres& centres, Index rank, const Options& options);

// Questions and requests that these options never make: embedded samples are drawn for one seeding only.
void require_possible(NodeId device, Word word, const Options& options);

// Under differential privacy the server, which is the node after so many devices, asks for noisy totals
// alone, and tells nothing that it would have to know from others. Both throw Error(PeerLost) that names it.
void require_noisy(NodeId device, Word word, Index devices);
void require_public(NodeId device, Word word, Index devices);

// Totals of one statistic over two sets of devices differ by what those have that are in one set alone. So a
// statistic belongs to one round, in which it may be asked for again: of fewer devices, before any total.
class Statistics {
 public:
  // `step`: of the embedding.
  void take_up(NodeId device, Word word, Index step, Index round);

 private:
  std::map<std::pair<Word, Index>, Index> rounds_;
};

}  // namespace choir::federated_kmeans
