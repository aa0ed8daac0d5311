#include "choir/learn/federated_kmeans/acceptance.h"

#include <algorithm>

#include "choir/base/error.h"
#include "choir/learn/federated_kmeans/swaps.h"

namespace choir::federated_kmeans {
namespace {

// Every round of k-means moves the centres, and every product has a vector of its own.
bool is_new_each_time(Word word) {
  return word == Word::tally || word == Word::lloyd || word == Word::noisy || word == Word::cost ||
         word == Word::weigh || word == Word::draw;
}

// Of one start for each number of clusters that may be tried.
Index centres_of_a_start(const Options& options) {
  if (options.n_clusters) return *options.n_clusters;
  return options.max_clusters * (options.max_clusters + 1) / 2 - 1;  // 2 + 3 + ...
}

}  // namespace

void require_matrix(const Told& told, const MatrixView<double>& matrix, const Allowed& allowed) {
  if (matrix.rows() != allowed.rows || matrix.cols() < 1 || matrix.cols() > allowed.most_columns) {
    fail(ErrorCategory::BadData,
         "device {} was sent {} x {} numbers as {}, and its own options allow {} x 1 to {}; nothing was "
         "answered. Check that all nodes run the same choir with the same options",
         told.device, matrix.rows(), matrix.cols(), told.what, allowed.rows, allowed.most_columns);
  }
  if (matrix.allFinite()) return;
  fail(ErrorCategory::BadData, "device {} was sent {} that are not finite; nothing was answered", told.device,
       told.what);
}

Index most_centres(const Options& options, Index rank) {
  const Index one = centres_of_a_start(options);
  // Fewer numbers of clusters may be tried than there could be, and then there are more restarts.
  const Index restarts = options.restarts ? *options.restarts * one
                                          : std::max(restart_count(options, one, rank) * one,
                                                     most_automatic_numbers / (rank + 2));
  return restarts + std::max(swaps_at_once, most_swap_rounds) * one;
}

void require_runs(NodeId device, const RunCentres& centres, Index rank, const Options& options) {
  require_matrix({device, "centres"}, centres.points,
                 {.rows = rank, .most_columns = most_centres(options, rank)});
  for (const Index size : centres.sizes) {
    const bool expected =
        options.n_clusters ? size == *options.n_clusters : size >= 2 && size <= options.max_clusters;
    if (expected) continue;
    fail(ErrorCategory::BadData,
         "device {} was asked for the sums of {} clusters, and its own options (--n-clusters, "
         "--max-clusters) name another number: clusters of single samples would show them. Nothing was "
         "answered",
         device, size);
  }
}

void require_noisy(NodeId device, Word word, Index devices) {
  if (word == Word::noisy) return;
  fail(ErrorCategory::PeerLost,
       "the server, node {}, asked device {} for figures without noise, which --privacy does not allow; "
       "nothing was answered. Check that all nodes have the same options",
       devices, device);
}

void require_public(NodeId device, Word word, Index devices) {
  if (word != Word::landmarks && word != Word::map) return;
  fail(ErrorCategory::PeerLost,
       "the server, node {}, told device {} landmarks or a map, which it has no noisy total to make of; "
       "check that all nodes have the same options",
       devices, device);
}

void require_possible(NodeId device, Word word, const Options& options) {
  if (word == Word::noisy && !options.privacy.wanted()) {
    fail(ErrorCategory::BadData,
         "device {} was asked for a noisy total, which only --privacy needs; nothing was answered", device);
  }
  const bool of_drawn = word == Word::draw || word == Word::cost || word == Word::weigh;
  if (!of_drawn || options.seeding == Seeding::parallel) return;
  fail(ErrorCategory::BadData,
       "device {} was asked for embedded samples or about them, which only --seeding parallel needs; nothing "
       "was answered",
       device);
}

void Statistics::take_up(NodeId device, Word word, Index step, Index round) {
  if (is_new_each_time(word)) return;
  const auto [known, first] = rounds_.try_emplace({word, step}, round);
  if (known->second == round) return;
  fail(
      ErrorCategory::BadData,
      "device {} was asked in round {} for a statistic that round {} has summed: two totals of one statistic "
      "over different devices would show what one of them has. Nothing was answered",
      device, round, known->second);
}

}  // namespace choir::federated_kmeans
