#include "choir/learn/federated_kmeans/lloyd.h"

#include <algorithm>
#include <utility>

#include "choir/base/error.h"
#include "choir/learn/federated_kmeans/seeding.h"
#include "choir/model/cluster_model.h"

namespace choir::federated_kmeans {
namespace {

constexpr Index samples_at_once = 256;
// Runs that end in the same clusters differ by rounding, and the first of them is taken whatever that is.
constexpr double same_inertia = 1e-9;
constexpr double fewest = 0.5;  // a count below is none: counts may be averages, or scaled up

}  // namespace

Matrix lloyd_sums(const MatrixView<double>& embedded, const MatrixView<double>& centres, Index clusters) {
  const Index r = embedded.rows();
  Matrix sums = Matrix::Zero(r + 2, centres.cols());
  for (Index first = 0; first < embedded.cols(); first += samples_at_once) {
    const Index count = std::min(samples_at_once, embedded.cols() - first);
    const Matrix distances = squared_distances(embedded.middleCols(first, count), centres);
    for (Index n = 0; n < count; ++n) {
      for (Index run = 0; run < centres.cols(); run += clusters) {
        Index nearest = 0;
        const double distance = distances.col(n).segment(run, clusters).minCoeff(&nearest);
        auto own = sums.col(run + nearest);
        own.head(r) += embedded.col(first + n);
        own(r) += 1;
        own(r + 1) += distance;
      }
    }
  }
  return sums;
}

// From sum ||b - c||^2 = sum ||b||^2 - 2 sum c's + sum n ||c||^2 over the clusters.
double mean_variance(const MatrixView<double>& sums, const Matrix& centres) {
  const Index r = centres.rows();
  const auto totals = sums.topRows(r);
  const Vector counts = sums.row(r);
  const double squares = sums.row(r + 1).sum() + 2 * totals.cwiseProduct(centres).sum() -
                         centres.colwise().squaredNorm().dot(counts);
  const double samples = counts.sum();
  const double scatter = squares - totals.rowwise().sum().squaredNorm() / samples;
  return std::max(0.0, scatter) / (samples * static_cast<double>(r));
}

LloydRuns::LloydRuns(std::vector<Matrix> starts, const LloydRule& rule, CountedCentroids spares)
    : rule_(rule), spares_(std::move(spares)) {
  if (starts.empty()) throw Error(ErrorCategory::InvalidArgument, "k-means needs at least one start");
  for (Matrix& start : starts) {
    const Index clusters = start.cols();
    runs_.push_back({.centres = std::move(start),
                     .counts = Vector::Zero(clusters),
                     .refilled = std::vector<bool>(static_cast<std::size_t>(clusters), false)});
  }
}

bool LloydRuns::moving() const {
  return std::any_of(runs_.begin(), runs_.end(), [](const LloydRun& run) { return run.moving; });
}

Vector LloydRuns::motion() const {
  Vector motion(static_cast<Index>(runs_.size()));
  for (std::size_t i = 0; i < runs_.size(); ++i) motion(static_cast<Index>(i)) = runs_[i].moving ? 1 : 0;
  return motion;
}

void LloydRuns::set_motion(const Vector& motion) {
  if (motion.size() != static_cast<Index>(runs_.size())) {
    fail(ErrorCategory::BadData, "{} of {} restarts were said to move or not", motion.size(), runs_.size());
  }
  for (std::size_t i = 0; i < runs_.size(); ++i) runs_[i].moving = motion(static_cast<Index>(i)) > 0;
}

Matrix LloydRuns::question() const {
  Matrix centres = all();
  Index used = 0;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (!runs_[i].moving) continue;
    centres.middleCols(used, clusters()) = runs_[i].centres;
    used += clusters();
  }
  return centres.leftCols(used);
}

Matrix LloydRuns::all() const {
  Matrix centres(runs_.front().centres.rows(), clusters() * static_cast<Index>(runs_.size()));
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    centres.middleCols(static_cast<Index>(i) * clusters(), clusters()) = runs_[i].centres;
  }
  return centres;
}

void LloydRuns::require_shape(const Matrix& sums, Index runs) const {
  const Index rows = runs_.front().centres.rows() + 2;
  if (sums.rows() == rows && sums.cols() == runs * clusters()) return;
  fail(ErrorCategory::BadData, "sums of clusters came as {} x {} instead of {} x {}", sums.rows(),
       sums.cols(), rows, runs * clusters());
}

void LloydRuns::refill(LloydRun& run, Index cluster) const {
  if (spares_.points.cols() == 0) return;
  const Vector distances = squared_distances(spares_.points, run.centres).colwise().minCoeff();
  const double same = same_place(spares_.points);
  const Vector nearest = (distances.array() > same).select(distances, 0);
  Index farthest = 0;
  if (spares_.counts.cwiseProduct(nearest).maxCoeff(&farthest) > 0) {
    run.centres.col(cluster) = spares_.points.col(farthest);
    run.refilled[static_cast<std::size_t>(cluster)] = true;
  }
}

void LloydRuns::refill_empty(LloydRun& run) const {
  for (Index c = 0; c < run.centres.cols(); ++c) {
    const auto cluster = static_cast<std::size_t>(c);
    if (run.counts(c) >= fewest) {
      run.refilled[cluster] = false;
    } else if (!run.refilled[cluster]) {
      refill(run, c);
    }
  }
}

void LloydRuns::move(LloydRun& run, const Matrix& sums, Sums which) {
  const Index r = run.centres.rows();
  const Matrix before = run.centres;
  run.counts = sums.row(r);
  run.inertia = sums.row(r + 1).sum();
  for (Index c = 0; c < run.centres.cols(); ++c) {
    if (run.counts(c) >= fewest) run.centres.col(c) = sums.col(c).head(r) / run.counts(c);
  }
  refill_empty(run);
  ++run.iterations;
  const double movement = (run.centres - before).squaredNorm();
  run.change = movement > 0 ? movement / variance_ : 0;
  run.converged = movement <= rule_.tol * variance_;
  if (which == Sums::inexact) ++run.restless;
  if (movement < run.least_movement) run.restless = 0;
  run.least_movement = std::min(run.least_movement, movement);
  run.moving = !run.converged && run.iterations < rule_.max_iter && run.restless < most_restless;
}

void LloydRuns::absorb(const Matrix& sums, Sums which) {
  Index moving = 0;
  for (const LloydRun& run : runs_) moving += run.moving ? 1 : 0;
  require_shape(sums, moving);
  Index at = 0;
  for (LloydRun& run : runs_) {
    if (!run.moving) continue;
    const Matrix own = sums.middleCols(at, clusters());
    if (variance_ < 0) variance_ = mean_variance(own, run.centres);
    move(run, own, which);
    at += clusters();
  }
}

Index LloydRuns::rank(const Matrix& sums) {
  require_shape(sums, static_cast<Index>(runs_.size()));
  const Index r = runs_.front().centres.rows();
  Index best = 0;
  for (Index i = 0; i < static_cast<Index>(runs_.size()); ++i) {
    LloydRun& run = runs_[static_cast<std::size_t>(i)];
    const auto own = sums.middleCols(i * clusters(), clusters());
    run.counts = own.row(r);
    run.inertia = own.row(r + 1).sum();
    if (run.inertia < (1 - same_inertia) * at(best).inertia) best = i;
  }
  return best;
}

}  // namespace choir::federated_kmeans
