#include "choir/experiment/federated_kmeans/sample_recovery.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>

#include "choir/base/rng.h"
#include "choir/linalg/eigen.h"

namespace choir {
namespace {

constexpr int most_steps = 100;
constexpr double same_sample = 1e-4;
constexpr double recognised = 1e-3;

// Squared distance of a(x) from the space, relative to the length of a(x) that is to be expected.
class Distance {
 public:
  Distance(const CosineFeatures& features, Matrix complement)
      : features_(features), complement_(std::move(complement)) {}

  Vector residual(const Vector& x) const { return complement_.transpose() * features_.of(x); }
  Matrix jacobian(const Vector& x) const {
    const Vector slopes =
        -std::numbers::sqrt2 * (features_.frequencies * x + features_.phases).array().sin().matrix();
    return complement_.transpose() * (slopes.asDiagonal() * features_.frequencies);
  }
  double relative(const Vector& residual) const {
    return residual.squaredNorm() / static_cast<double>(features_.phases.size());
  }

 private:
  const CosineFeatures& features_;
  Matrix complement_;  // orthonormal, D x (D - N)
};

struct Minimum {
  Vector x;
  double residual = 0;
};

Minimum descend(const Distance& distance, Vector x, double tolerance) {
  Vector residual = distance.residual(x);
  double damping = 1;
  for (int step = 0; step < most_steps && distance.relative(residual) > 1e-4 * tolerance; ++step) {
    const Matrix jacobian = distance.jacobian(x);
    Matrix normal = jacobian.transpose() * jacobian;
    normal.diagonal() *= 1 + damping;
    const Vector next = x - Eigen::LDLT<Matrix>(normal).solve(jacobian.transpose() * residual);
    const Vector there = distance.residual(next);
    if (there.squaredNorm() < residual.squaredNorm()) {
      x = next;
      residual = there;
      damping /= 3;
    } else {
      damping *= 4;
      if (damping > 1e12) break;
    }
  }
  return {x, distance.relative(residual)};
}

// Eigenvectors of the smallest magnitudes: what is masked has negative eigenvalues, too.
Matrix complement_of(const Matrix& gram, Index samples) {
  const EigenPairs pairs = eigen_symmetric<double>(0.5 * (gram + gram.transpose()));
  std::vector<Index> order(static_cast<std::size_t>(gram.rows()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  std::ranges::stable_sort(order, std::ranges::greater(), [&](Index i) { return std::abs(pairs.values(i)); });
  const std::vector<Index> last(order.begin() + samples, order.end());
  return pairs.vectors(Eigen::all, last);
}

Vector random_start(Index dimensions, Rng& rng) {
  const double scale = rng.uniform(0.5, 2);
  return Vector::NullaryExpr(dimensions, [&] { return scale * rng.normal(); });
}

double nearest(const Samples& samples, const Vector& x) {
  if (samples.cols() == 0) return std::numeric_limits<double>::infinity();
  return (samples.colwise() - x).colwise().norm().minCoeff();
}

}  // namespace

CosineFeatures CosineFeatures::draw(Index dimensions, Index count, double gamma, std::uint64_t seed) {
  Rng rng(seed, Purpose("cosine features"));
  CosineFeatures features;
  features.frequencies =
      Matrix::NullaryExpr(count, dimensions, [&] { return std::sqrt(2 * gamma) * rng.normal(); });
  features.phases = Vector::NullaryExpr(count, [&] { return rng.uniform(0, 2 * std::numbers::pi); });
  return features;
}

Matrix CosineFeatures::of(const Samples& samples) const {
  return std::numbers::sqrt2 * ((frequencies * samples).colwise() + phases).array().cos().matrix();
}

Recovery recover_samples(const CosineFeatures& features, const Matrix& gram, Index samples,
                         const RecoveryOptions& options) {
  const Index dimensions = features.frequencies.cols();
  Recovery recovery{.samples = Samples(dimensions, 0)};
  if (samples >= gram.rows()) return recovery;
  const Distance distance(features, complement_of(gram, samples));
  Rng rng(options.seed, Purpose("recovery starts"));
  for (Index start = 0; start < options.starts && recovery.samples.cols() < samples; ++start) {
    const Minimum minimum = descend(distance, random_start(dimensions, rng), options.tolerance);
    recovery.smallest_residual = std::fmin(recovery.smallest_residual, minimum.residual);
    if (minimum.residual > options.tolerance || nearest(recovery.samples, minimum.x) < same_sample) continue;
    recovery.samples.conservativeResize(Eigen::NoChange, recovery.samples.cols() + 1);
    recovery.samples.rightCols(1) = minimum.x;
  }
  return recovery;
}

RecoveredShare compare_with_truth(const Samples& found, const Samples& truth) {
  Index count = 0;
  double worst = -1;
  for (const auto sample : truth.colwise()) {
    const double error = nearest(found, sample);
    if (error > recognised) continue;
    ++count;
    worst = std::max(worst, error);
  }
  return {static_cast<double>(count) / static_cast<double>(truth.cols()),
          count > 0 ? worst : std::numeric_limits<double>::quiet_NaN()};
}

}  // namespace choir
