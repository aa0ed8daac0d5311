#include "choir/learn/agreement/clipping.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "choir/runtime/blocks/secure_sum/secure_sum.h"

namespace choir {
namespace {

constexpr Index cuts = 16;
// 16^10 = 1e12, of which the first power of two may cost 32: an outlier that far away costs no precision.
constexpr int cutting_rounds = 10;

// Beyond each quantile: 0.15% of the samples, but at least 3 of them, and at most 5%. With more, features
// that are 0 in most samples, such as an image's pixels, would lose values that are no outliers: with 1%,
// MNIST's pixels had deviations so small that samples were 9 deviations away on average.
double tail_of(double samples) { return std::clamp(3 / samples, 0.0015, 0.05); }

// What all samples of each feature lie within: 2 x M.
Intervals symmetric(const Vector& limits) {
  Intervals intervals(2, limits.size());
  intervals.row(0) = -limits.transpose();
  intervals.row(1) = limits.transpose();
  return intervals;
}

}  // namespace

Matrix inner_edges(const Intervals& intervals) {
  Matrix edges(cuts - 1, intervals.cols());
  for (Index k = 1; k < cuts; ++k) {
    const double share = static_cast<double>(k) / cuts;
    edges.row(k - 1) = (1 - share) * intervals.row(0) + share * intervals.row(1);
  }
  return edges;
}

Matrix count_below(const Matrix& edges, const MatrixView<double>& values) {
  Matrix counts(edges.rows(), edges.cols());
  for (Index feature = 0; feature < edges.cols(); ++feature) {
    for (Index k = 0; k < edges.rows(); ++k) {
      const auto below = (values.row(feature).array() < edges(k, feature)).count();
      counts(k, feature) = static_cast<double>(below);
    }
  }
  return counts;
}

Intervals narrowed(const Intervals& intervals, const Matrix& counts, double rank) {
  const Matrix edges = inner_edges(intervals);
  Intervals parts = intervals;
  for (Index feature = 0; feature < intervals.cols(); ++feature) {
    Index part = 0;
    while (part < cuts - 1 && counts(part, feature) < rank) ++part;
    if (part > 0) parts(0, feature) = edges(part - 1, feature);
    if (part < cuts - 1) parts(1, feature) = edges(part, feature);
  }
  return parts;
}

Intervals outlier_bounds(const Intervals& low, const Intervals& high) {
  // From middle to middle; nothing if that is within what the intervals leave open.
  Vector distance = (high.colwise().mean() - low.colwise().mean()).transpose();
  const Vector open = (high.row(1) - high.row(0) + low.row(1) - low.row(0)).transpose();
  distance = (distance.array() > open.array()).select(distance, 0).eval();
  const double widest = distance.maxCoeff();
  Intervals bounds(2, low.cols());
  for (Index feature = 0; feature < low.cols(); ++feature) {
    double beyond = distance(feature) > 0 ? distance(feature) : 2 * widest;
    if (!(widest > 0)) beyond = std::numeric_limits<double>::infinity();
    bounds(0, feature) = low(0, feature) - beyond;
    bounds(1, feature) = high(1, feature) + beyond;
  }
  return bounds;
}

void clip(const Intervals& bounds, Samples& samples) {
  for (auto sample : samples.colwise())
    sample = sample.cwiseMax(bounds.row(0).transpose()).cwiseMin(bounds.row(1).transpose());
}

Task<Samples> agreed_clipped(Node& node, Samples samples) {
  const Vector limits = co_await secure_limits(node, samples);
  Matrix own_count = Matrix::Constant(1, 1, static_cast<double>(samples.cols()));
  const Matrix count = co_await secure_sum(node, std::move(own_count));
  Intervals low = symmetric(limits);  // narrowed to the quantiles
  Intervals high = low;
  const double tail = tail_of(count(0));
  for (int round = 0; round < cutting_rounds; ++round) {
    Matrix edges(cuts - 1, 2 * samples.rows());
    edges << inner_edges(low), inner_edges(high);
    Matrix mine(cuts - 1, 2 * samples.rows());
    mine << count_below(edges.leftCols(samples.rows()), samples),
        count_below(edges.rightCols(samples.rows()), samples);
    const Matrix counts = co_await secure_sum(node, std::move(mine), count(0));
    low = narrowed(low, counts.leftCols(samples.rows()), tail * count(0));
    high = narrowed(high, counts.rightCols(samples.rows()), (1 - tail) * count(0));
  }
  clip(outlier_bounds(low, high), samples);
  co_return samples;
}

}  // namespace choir
