// Lloyd's iterations where devices give sums and a server moves the centres, all restarts at once: a question
// carries the centres of every restart that still moves, so that restarts cost numbers and no rounds. Runs
// may have different numbers of clusters.
//
//   LloydRuns runs(starts, {.tol = 1e-4, .max_iter = 300});
//   while (runs.moving()) runs.absorb(<sum over devices of lloyd_sums(embedded, runs.question())>);
//   runs.appraise(<sum over devices of appraisal_sums(embedded, runs.all())>);
//   runs.at(runs.best()).centres
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "choir/learn/features/centroids.h"
#include "choir/linalg/types.h"
#include "choir/model/cluster_model.h"

namespace choir::federated_kmeans {

// Centres of several runs, side by side.
struct RunCentres {
  Matrix points;             // r x (k_1 + k_2 + ...)
  std::vector<Index> sizes;  // k of each run
  // By centre: whose sums are asked for (opening.h); empty: all.
  std::vector<bool> opened = {};
  bool is_open(Index centre) const { return opened.empty() || opened[static_cast<std::size_t>(centre)]; }
  static RunCentres of(const std::vector<Matrix>& runs);
};

// What a device adds up, a column for each centre: the sum of its samples (r), how many they are, and the sum
// of their squared distances. (r + 2) x (k_1 + ...). Of closed clusters of a run only the sum of all their
// squared distances, in the first of them.
Matrix lloyd_sums(const MatrixView<double>& embedded, const RunCentres& centres);

// The last look at all runs, a column for each centre: how many samples; and in the first column of each run,
// of all samples, the sums of squared distances and of silhouettes 1 - a / b, where a is the distance to the
// nearest centre of the run and b that to the second nearest. 3 x (k_1 + ...).
Matrix appraisal_sums(const MatrixView<double>& embedded, const RunCentres& centres);

struct LloydRule {
  double tol = 1e-4;  // on the squared movement of all centres, relative to the mean variance
  Index max_iter = 300;
  Index first = 0;  // iterations that the starts have behind them
};

inline constexpr Index most_restless = 20;  // rounds

struct LloydRun {
  Matrix centres;  // r x k
  Vector counts;   // k
  Vector squares;  // k: sums of squared distances, to the centres before the last move that opened them
  double inertia = 0;
  double silhouette = 0;  // mean over the samples; 0 for a single cluster
  Index iterations = 0;
  bool converged = false;
  bool moving = true;
  double least_movement = std::numeric_limits<double>::infinity();
  Index restless = 0;               // rounds of inexact sums since then
  double change = 0;                // the last squared movement, relative to the mean variance as tol is
  std::vector<bool> refilled = {};  // clusters that took a spare and have had no sample since
  Matrix opened_at = {};            // the centres of its last opened sums; r x 0: none yet

  Index clusters() const { return centres.cols(); }
};

class LloydRuns {
 public:
  // `starts`: r x k each. A cluster that runs empty takes over the spare point with the most weight times
  // squared distance to its nearest centre. It keeps its centre if no spare is elsewhere than the centres,
  // and if no sample came to the spare it took last: it would try one after another for ever.
  LloydRuns(std::vector<Matrix> starts, const LloydRule& rule, CountedCentroids spares = {});

  bool moving() const;
  RunCentres question() const;  // of all runs that move
  RunCentres all() const;       // of all runs
  // Of all runs that move: the centres of their last opened sums, or where they are if there were none, and
  // which of them those are.
  Matrix opened_before() const;
  std::vector<bool> fresh() const;
  // Sums for question(). Inexact ones are over changing devices, as some are silent now and then, or averages
  // that gossip has not finished: centres then go on moving for ever, and a run ends when for most_restless
  // rounds they have not moved less than ever before. Throws Error(BadData) for another shape.
  enum class Sums { exact, inexact };
  // `opened`: as of RunCentres.
  void absorb(const Matrix& sums, Sums which = Sums::exact, const std::vector<bool>& opened = {});
  // Runs that are not below this inertia by now end; one for each run.
  void end_above(const std::vector<double>& inertia);
  // A run from elsewhere, to be appraised with the others.
  void add(LloydRun run);
  // 1 for every run that moves. Nodes that have no server agree on them.
  Vector motion() const;
  void set_motion(const Vector& motion);

  // appraisal_sums() for all(): how good each run is.
  void appraise(const Matrix& sums);
  // After that: the run with the least inertia, for each number of clusters; and of these the one with the
  // largest silhouette.
  std::map<Index, Index> best_by_clusters() const;
  Index best() const;
  Index size() const { return static_cast<Index>(runs_.size()); }
  const LloydRun& at(Index run) const { return runs_[static_cast<std::size_t>(run)]; }

 private:
  void move(LloydRun& run, const Matrix& sums, Sums which, const std::vector<bool>& opened);
  void refill(LloydRun& run, Index cluster) const;
  void refill_empty(LloydRun& run) const;

  std::vector<LloydRun> runs_;
  LloydRule rule_;
  CountedCentroids spares_;
  double variance_ = -1;  // the mean one; known after the first sums
};

// For every sample and run: visit(sample, the nearest centre among all runs', the same within its run,
// squared distances to the run's centres).
template <class Visit>
void visit_nearest(const MatrixView<double>& embedded, const RunCentres& centres, const Visit& visit) {
  constexpr Index samples_at_once = 256;
  for (Index first = 0; first < embedded.cols(); first += samples_at_once) {
    const Index count = std::min(samples_at_once, embedded.cols() - first);
    const Matrix distances = squared_distances(embedded.middleCols(first, count), centres.points);
    for (Index n = 0; n < count; ++n) {
      Index run = 0;
      for (const Index clusters : centres.sizes) {
        const auto own = distances.col(n).segment(run, clusters);
        Index nearest = 0;
        own.minCoeff(&nearest);
        visit(first + n, run + nearest, nearest, own);
        run += clusters;
      }
    }
  }
}

// The mean variance of the embedded samples' coordinates, from sums of one run and its centres.
double mean_variance(const MatrixView<double>& sums, const Matrix& centres);

}  // namespace choir::federated_kmeans
