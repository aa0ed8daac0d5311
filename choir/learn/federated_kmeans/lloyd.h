// Lloyd's iterations where devices give sums and a server moves the centres, all restarts at once: a question
// carries the centres of every restart that still moves, so that restarts cost numbers and no rounds.
//
//   LloydRuns runs(starts, {.tol = 1e-4, .max_iter = 300});
//   while (runs.moving()) runs.absorb(<sum over devices of lloyd_sums(embedded, runs.question(), k)>);
//   runs.choose(<the same for runs.all()>);
//   runs.best().centres
#pragma once

#include <limits>
#include <vector>

#include "choir/learn/features/centroids.h"
#include "choir/linalg/types.h"

namespace choir::federated_kmeans {

// What a device adds up, a column for each of the k R centres: the sum of its samples (r), how many they are,
// and the sum of their squared distances. (r + 2) x (k R).
Matrix lloyd_sums(const MatrixView<double>& embedded, const MatrixView<double>& centres, Index clusters);

struct LloydRule {
  double tol = 1e-4;  // on the squared movement of all centres, relative to the mean variance
  Index max_iter = 300;
};

inline constexpr Index most_restless = 20;  // rounds

struct LloydRun {
  Matrix centres;  // r x k
  Vector counts;   // k
  double inertia = 0;
  Index iterations = 0;
  bool converged = false;
  bool moving = true;
  double least_movement = std::numeric_limits<double>::infinity();
  Index restless = 0;               // rounds of inexact sums since then
  double change = 0;                // the last squared movement, relative to the mean variance as tol is
  std::vector<bool> refilled = {};  // clusters that took a spare and have had no sample since
};

class LloydRuns {
 public:
  // `starts`: r x k each. A cluster that runs empty takes over the spare point with the most weight times
  // squared distance to its nearest centre. It keeps its centre if no spare is elsewhere than the centres,
  // and if no sample came to the spare it took last: it would try one after another for ever.
  LloydRuns(std::vector<Matrix> starts, const LloydRule& rule, CountedCentroids spares = {});

  bool moving() const;
  Matrix question() const;  // centres of all runs that move, side by side
  Matrix all() const;       // of all runs
  // Sums for question(). Inexact ones are over changing devices, as some are silent now and then, or averages
  // that gossip has not finished: centres then go on moving for ever, and a run ends when for most_restless
  // rounds they have not moved less than ever before. Throws Error(BadData) for another shape.
  enum class Sums { exact, inexact };
  void absorb(const Matrix& sums, Sums which = Sums::exact);
  // 1 for every run that moves. Nodes that have no server agree on them.
  Vector motion() const;
  void set_motion(const Vector& motion);

  // Sums for all(): the last look, which says how good each run is. Returns the best of them.
  Index rank(const Matrix& sums);
  const LloydRun& at(Index run) const { return runs_[static_cast<std::size_t>(run)]; }
  Index clusters() const { return runs_.front().centres.cols(); }

 private:
  void require_shape(const Matrix& sums, Index runs) const;
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
