#include "choir/kernel/kmeans.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "choir/base/error.h"
#include "choir/base/parallel.h"
#include "choir/base/rng.h"

namespace choir {
namespace {

constexpr Index assigned_at_once = 256;
constexpr Index most_lanes = 16;  // of samples: each adds up its own, and lanes are summed in order

// Samples minus their mean, so that ||c||^2 - 2c'x keeps its digits far from the origin.
struct Problem {
  Matrix x;  // M x N
  Vector mean;
  Vector weights;    // N
  double tolerance;  // on the squared movement of all centres
  const KMeansOptions& options;

  Index lanes() const { return std::min<Index>(most_lanes, x.cols()); }
  Index lane_begin(Index lane) const { return lane * x.cols() / lanes(); }
};

// What a pass over one lane, or over all samples, adds up.
struct Totals {
  Matrix sums;     // M x k, weighted
  Vector weights;  // k
  bool moved = false;
};

struct Assignment {
  std::vector<Index> labels;
  Vector distances;  // N, squared, to the nearest centre; rounding may leave them just below zero
};

void validate(const MatrixView<double>& samples, const KMeansOptions& options, const Vector& weights) {
  if (options.clusters < 1 || options.clusters > samples.cols()) {
    fail(ErrorCategory::InvalidArgument, "{} clusters were requested for {} samples; choose between 1 and {}",
         options.clusters, samples.cols(), samples.cols());
  }
  if (options.max_iter < 1 || options.n_init < 1 || !(options.tol >= 0)) {
    fail(ErrorCategory::InvalidArgument,
         "k-means with max_iter {}, n_init {}, tol {}; the first two must be at least 1, and tol must not be "
         "negative",
         options.max_iter, options.n_init, options.tol);
  }
  if (weights.size() == 0) return;
  if (weights.size() != samples.cols()) {
    fail(ErrorCategory::InvalidArgument, "{} weights were given for {} samples", weights.size(),
         samples.cols());
  }
  if (!(weights.minCoeff() >= 0) || !std::isfinite(weights.sum()) || weights.sum() == 0) {
    fail(ErrorCategory::InvalidArgument, "sample weights must be finite, not negative and not all zero");
  }
}

Problem prepare(const MatrixView<double>& samples, const KMeansOptions& options, const Vector& weights) {
  const Vector mean = samples.rowwise().mean();
  Problem problem{.x = samples.colwise() - mean,
                  .mean = mean,
                  .weights = weights.size() > 0 ? weights : Vector(Vector::Ones(samples.cols())),
                  .tolerance = 0,
                  .options = options};
  problem.tolerance = options.tol * problem.x.squaredNorm() / static_cast<double>(problem.x.size());
  return problem;
}

// A sample drawn with probability proportional to its mass.
Index draw(const Vector& mass, Rng& rng) {
  const double target = rng.uniform() * mass.sum();
  double passed = 0;
  Index last = 0;
  for (Index i = 0; i < mass.size(); ++i) {
    if (mass(i) == 0) continue;
    last = i;  // rounding may leave the target just above the total
    passed += mass(i);
    if (passed > target) break;
  }
  return last;
}

Matrix plus_plus(const Problem& problem, Rng& rng) {
  Matrix centres(problem.x.rows(), problem.options.clusters);
  Vector nearest = Vector::Constant(problem.x.cols(), std::numeric_limits<double>::infinity());
  Vector mass = problem.weights;
  for (Index c = 0; c < problem.options.clusters; ++c) {
    if (!(mass.maxCoeff() > 0)) {
      fail(ErrorCategory::InvalidArgument,
           "there are only {} distinct samples of positive weight for {} clusters; ask for at most {}", c,
           problem.options.clusters, c);
    }
    centres.col(c) = problem.x.col(draw(mass, rng));
    parallel_for(problem.lanes(), problem.options.threads, [&](Index lane) {
      for (Index i = problem.lane_begin(lane); i < problem.lane_begin(lane + 1); ++i) {
        nearest(i) = std::min(nearest(i), (problem.x.col(i) - centres.col(c)).squaredNorm());
        mass(i) = problem.weights(i) * nearest(i);
      }
    });
  }
  return centres;
}

// Nearest centres of samples first .. first+count-1, by one GEMM; true if a label changed.
bool assign_block(const Problem& problem, const Matrix& centres, const Vector& norms, Index first,
                  Index count, Assignment& assignment) {
  Matrix scores = -2 * (centres.transpose() * problem.x.middleCols(first, count));
  scores.colwise() += norms;
  bool moved = false;
  for (Index j = 0; j < count; ++j) {
    Index label = 0;
    const double score = scores.col(j).minCoeff(&label);
    Index& old = assignment.labels[static_cast<std::size_t>(first + j)];
    moved = moved || label != old;
    old = label;
    assignment.distances(first + j) = score + problem.x.col(first + j).squaredNorm();
  }
  return moved;
}

Totals assign(const Problem& problem, const Matrix& centres, Assignment& assignment) {
  const Vector norms = centres.colwise().squaredNorm();
  std::vector<Totals> lanes(static_cast<std::size_t>(problem.lanes()));
  parallel_for(problem.lanes(), problem.options.threads, [&](Index lane) {
    Totals own{Matrix::Zero(centres.rows(), centres.cols()), Vector::Zero(centres.cols())};
    const Index end = problem.lane_begin(lane + 1);
    for (Index first = problem.lane_begin(lane); first < end; first += assigned_at_once) {
      const Index count = std::min(assigned_at_once, end - first);
      own.moved = assign_block(problem, centres, norms, first, count, assignment) || own.moved;
      for (Index i = first; i < first + count; ++i) {
        const Index label = assignment.labels[static_cast<std::size_t>(i)];
        own.sums.col(label) += problem.weights(i) * problem.x.col(i);
        own.weights(label) += problem.weights(i);
      }
    }
    lanes[static_cast<std::size_t>(lane)] = std::move(own);
  });
  Totals total = std::move(lanes.front());
  for (std::size_t lane = 1; lane < lanes.size(); ++lane) {
    total.sums += lanes[lane].sums;
    total.weights += lanes[lane].weights;
    total.moved = total.moved || lanes[lane].moved;
  }
  return total;
}

// Gives each cluster without weight the sample farthest from its centre.
void refill_empty(const Problem& problem, Assignment& assignment, Totals& totals) {
  for (Index empty = 0; empty < totals.weights.size(); ++empty) {
    if (totals.weights(empty) > 0) continue;
    Index farthest = 0;
    const double distance =
        (assignment.distances.array() * (problem.weights.array() > 0).cast<double>()).maxCoeff(&farthest);
    if (!(distance > 0)) return;  // every sample is a centre
    Index& label = assignment.labels[static_cast<std::size_t>(farthest)];
    const double weight = problem.weights(farthest);
    totals.sums.col(label) -= weight * problem.x.col(farthest);
    totals.weights(label) -= weight;
    totals.sums.col(empty) = weight * problem.x.col(farthest);
    totals.weights(empty) = weight;
    totals.moved = true;
    label = empty;
    assignment.distances(farthest) = 0;
  }
}

Matrix centres_of(const Totals& totals, const Matrix& before) {
  Matrix centres = before;
  for (Index c = 0; c < centres.cols(); ++c) {
    if (totals.weights(c) > 0) centres.col(c) = totals.sums.col(c) / totals.weights(c);
  }
  return centres;
}

KMeans finish(const Problem& problem, Matrix centres, Assignment& assignment) {
  KMeans result;
  result.counts = assign(problem, centres, assignment).weights;
  for (Index i = 0; i < problem.x.cols(); ++i) {
    const Index label = assignment.labels[static_cast<std::size_t>(i)];
    result.inertia += problem.weights(i) * (problem.x.col(i) - centres.col(label)).squaredNorm();
  }
  result.labels = assignment.labels;
  result.centres = std::move(centres);
  return result;
}

KMeans lloyd(const Problem& problem, Matrix centres) {
  Assignment assignment{std::vector<Index>(static_cast<std::size_t>(problem.x.cols()), -1),
                        Vector(problem.x.cols())};
  bool converged = false;
  Index iteration = 0;
  while (iteration < problem.options.max_iter && !converged) {
    problem.options.watch.report("k-means", iteration, problem.options.max_iter);
    Totals totals = assign(problem, centres, assignment);
    refill_empty(problem, assignment, totals);
    Matrix next = centres_of(totals, centres);
    converged = !totals.moved || (next - centres).squaredNorm() <= problem.tolerance;
    centres = std::move(next);
    ++iteration;
  }
  KMeans result = finish(problem, std::move(centres), assignment);
  result.iterations = iteration;
  result.converged = converged;
  return result;
}

}  // namespace

KMeans kmeans(const MatrixView<double>& samples, const KMeansOptions& options, const Vector& weights) {
  validate(samples, options, weights);
  const Problem problem = prepare(samples, options, weights);
  KMeans best;
  for (int start = 0; start < options.n_init; ++start) {
    Rng rng(options.seed, Purpose("k-means++"), 0, static_cast<std::uint64_t>(start));
    KMeans fit = lloyd(problem, plus_plus(problem, rng));
    if (start == 0 || fit.inertia < best.inertia) best = std::move(fit);
  }
  best.centres.colwise() += problem.mean;
  return best;
}

}  // namespace choir
