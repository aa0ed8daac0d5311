// Lloyd's iterations where devices give sums and a server moves the centres, all restarts at once: a question
// carries the centres of every restart that still moves, so that restarts cost numbers and no rounds. Runs
// may have different numbers of clusters.
//
//   LloydRuns runs(starts, {.tol = 1e-4, .max_iter = 300});
//   while (runs.moving()) runs.absorb(<sum over devices of lloyd_sums(embedded, runs.question())>);
//   runs.appraise(<sum over devices of appraisal_sums(embedded, runs.all())>);
//   runs.at(runs.best()).centres
#pragma once

#include <limits>
#include <map>
#include <vector>

#include "choir/learn/features/centroids.h"
#include "choir/linalg/types.h"

namespace choir::federated_kmeans {

// Centres of several runs, side by side.
struct RunCentres {
  Matrix points;             // r x (k_1 + k_2 + ...)
  std::vector<Index> sizes;  // k of each run
  static RunCentres of(const std::vector<Matrix>& runs);
};

// What a device adds up, a column for each centre: the sum of its samples (r), how many they are, and the sum
// of their squared distances. (r + 2) x (k_1 + ...).
Matrix lloyd_sums(const MatrixView<double>& embedded, const RunCentres& centres);

// The last look at all runs, a column for each centre: how many samples, the sum of their squared distances,
// and the sum of their silhouettes 1 - a / b, where a is the distance to the nearest centre of the run and b
// that to the second nearest. 3 x (k_1 + ...).
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
  Vector squares;  // k: sums of squared distances, to the centres before the last move
  double inertia = 0;
  double silhouette = 0;  // mean over the samples; 0 for a single cluster
  Index iterations = 0;
  bool converged = false;
  bool moving = true;
  double least_movement = std::numeric_limits<double>::infinity();
  Index restless = 0;               // rounds of inexact sums since then
  double change = 0;                // the last squared movement, relative to the mean variance as tol is
  std::vector<bool> refilled = {};  // clusters that took a spare and have had no sample since

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
  // Sums for question(). Inexact ones are over changing devices, as some are silent now and then, or averages
  // that gossip has not finished: centres then go on moving for ever, and a run ends when for most_restless
  // rounds they have not moved less than ever before. Throws Error(BadData) for another shape.
  enum class Sums { exact, inexact };
  void absorb(const Matrix& sums, Sums which = Sums::exact);
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
  void move(LloydRun& run, const Matrix& sums, Sums which);
  void refill(LloydRun& run, Index cluster) const;
  void refill_empty(LloydRun& run) const;

  std::vector<LloydRun> runs_;
  LloydRule rule_;
  CountedCentroids spares_;
  double variance_ = -1;  // the mean one; known after the first sums
};

// The mean variance of the embedded samples' coordinates, from sums of one run and its centres.
double mean_variance(const MatrixView<double>& sums, const Matrix& centres);

}  // namespace choir::federated_kmeans
