#include "choir/learn/federated_kmeans/lloyd.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "choir/base/error.h"
#include "choir/learn/federated_kmeans/seeding.h"
#include "choir/linalg/columns.h"
#include "choir/model/cluster_model.h"

namespace choir::federated_kmeans {
namespace {

// Runs that end in the same clusters differ by rounding, and the first of them is taken whatever that is.
constexpr double same_inertia = 1e-9;
constexpr double same_silhouette = 1e-9;  // of equally good ones the fewest clusters
constexpr double fewest = 0.5;            // a count below is none: counts may be averages, or scaled up

void require_shape(const Matrix& sums, Index rows, Index columns) {
  if (sums.rows() == rows && sums.cols() == columns) return;
  fail(ErrorCategory::BadData, "sums of clusters came as {} x {} instead of {} x {}", sums.rows(),
       sums.cols(), rows, columns);
}

// 1 - a / b from squared distances; 0 if there is no second centre, or all are where the sample is.
template <class Distances>
double silhouette(const Distances& distances, Index nearest) {
  double second = std::numeric_limits<double>::infinity();
  for (Index c = 0; c < distances.size(); ++c) {
    if (c != nearest) second = std::min(second, distances(c));
  }
  return distances.size() > 1 && second > 0 ? 1 - std::sqrt(distances(nearest) / second) : 0;
}

// The column of each centre's squared distances: its own, or that of the first closed one of its run.
std::vector<Index> places_of_squares(const RunCentres& centres) {
  std::vector<Index> places;
  for (const Index clusters : centres.sizes) {
    const Index begin = std::ssize(places);
    Index first_closed = -1;
    for (Index c = begin; c < begin + clusters; ++c) {
      if (!centres.is_open(c) && first_closed < 0) first_closed = c;
      places.push_back(centres.is_open(c) ? c : first_closed);
    }
  }
  return places;
}

}  // namespace

RunCentres RunCentres::of(const std::vector<Matrix>& runs) {
  RunCentres all{.points = side_by_side(runs), .sizes = {}};
  for (const Matrix& run : runs) all.sizes.push_back(run.cols());
  return all;
}

Matrix lloyd_sums(const MatrixView<double>& embedded, const RunCentres& centres) {
  const Index r = embedded.rows();
  Matrix sums = Matrix::Zero(r + 2, centres.points.cols());
  const std::vector<Index> places = places_of_squares(centres);
  visit_nearest(embedded, centres, [&](Index sample, Index centre, Index nearest, const auto& distances) {
    sums(r + 1, places[static_cast<std::size_t>(centre)]) += distances(nearest);
    if (!centres.is_open(centre)) return;
    sums.col(centre).head(r) += embedded.col(sample);
    sums(r, centre) += 1;
  });
  return sums;
}

Matrix appraisal_sums(const MatrixView<double>& embedded, const RunCentres& centres) {
  Matrix sums = Matrix::Zero(3, centres.points.cols());
  visit_nearest(embedded, centres, [&](Index, Index centre, Index nearest, const auto& distances) {
    sums(0, centre) += 1;
    auto of_run = sums.col(centre - nearest);
    of_run(1) += distances(nearest);
    of_run(2) += silhouette(distances, nearest);
  });
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
                     .squares = Vector::Zero(clusters),
                     .iterations = rule.first,
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

void LloydRuns::end_above(const std::vector<double>& inertia) {
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (!(runs_[i].inertia < inertia[i])) runs_[i].moving = false;
  }
}

void LloydRuns::add(LloydRun run) {
  run.moving = false;
  runs_.push_back(std::move(run));
}

RunCentres LloydRuns::question() const {
  std::vector<Matrix> centres;
  for (const LloydRun& run : runs_) {
    if (run.moving) centres.push_back(run.centres);
  }
  return RunCentres::of(centres);
}

RunCentres LloydRuns::all() const {
  std::vector<Matrix> centres;
  for (const LloydRun& run : runs_) centres.push_back(run.centres);
  return RunCentres::of(centres);
}

Matrix LloydRuns::opened_before() const {
  std::vector<Matrix> before;
  for (const LloydRun& run : runs_) {
    if (run.moving) before.push_back(run.opened_at.cols() > 0 ? run.opened_at : run.centres);
  }
  return side_by_side(before);
}

std::vector<bool> LloydRuns::fresh() const {
  std::vector<bool> fresh;
  for (const LloydRun& run : runs_) {
    if (run.moving) fresh.push_back(run.opened_at.cols() == 0);
  }
  return fresh;
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

void LloydRuns::move(LloydRun& run, const Matrix& sums, Sums which, const std::vector<bool>& opened) {
  const Index r = run.centres.rows();
  const Matrix before = run.centres;
  run.counts = sums.row(r);
  run.inertia = sums.row(r + 1).sum();
  for (Index c = 0; c < run.centres.cols(); ++c) {
    if (opened[static_cast<std::size_t>(c)]) run.squares(c) = sums(r + 1, c);
  }
  if (std::ranges::find(opened, true) != opened.end()) run.opened_at = before;
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

void LloydRuns::absorb(const Matrix& sums, Sums which, const std::vector<bool>& opened) {
  const auto movers = [](Index columns, const LloydRun& run) {
    return columns + (run.moving ? run.clusters() : 0);
  };
  require_shape(sums, runs_.front().centres.rows() + 2,
                std::accumulate(runs_.begin(), runs_.end(), Index{0}, movers));
  Index at = 0;
  for (LloydRun& run : runs_) {
    if (!run.moving) continue;
    const Matrix own = sums.middleCols(at, run.clusters());
    if (variance_ < 0) variance_ = mean_variance(own, run.centres);
    std::vector<bool> own_opened(static_cast<std::size_t>(run.clusters()), true);
    if (!opened.empty()) std::copy_n(opened.begin() + at, run.clusters(), own_opened.begin());
    move(run, own, which, own_opened);
    at += run.clusters();
  }
}

void LloydRuns::appraise(const Matrix& sums) {
  require_shape(sums, 3, all().points.cols());
  Index at = 0;
  for (LloydRun& run : runs_) {
    const auto own = sums.middleCols(at, run.clusters());
    run.counts = own.row(0);
    run.inertia = own.row(1).sum();
    run.silhouette = own.row(2).sum() / own.row(0).sum();
    at += run.clusters();
  }
}

std::map<Index, Index> LloydRuns::best_by_clusters() const {
  std::map<Index, Index> best;
  for (Index i = 0; i < static_cast<Index>(runs_.size()); ++i) {
    const auto [place, first] = best.emplace(at(i).clusters(), i);
    if (!first && at(i).inertia < (1 - same_inertia) * at(place->second).inertia) place->second = i;
  }
  return best;
}

Index LloydRuns::best() const {
  const std::map<Index, Index> candidates = best_by_clusters();
  Index best = candidates.begin()->second;
  for (const auto& [clusters, run] : candidates) {
    if (at(run).silhouette > at(best).silhouette + same_silhouette) best = run;
  }
  return best;
}

}  // namespace choir::federated_kmeans
