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

// The shares of the samples beyond each of four quantiles.
struct Tails {
  double outer;  // where outliers begin
  double inner;  // whether most of a feature's values are the same
};

// Outer: 0.15% of the samples, but at least 3 of them, and at most 5%. Inner: 20 times as many. Where fewer
// samples than that differ from all others, as in a pixel near the edge of an image, the outer quantile
// leaves out more than a twentieth of these and does not tell where they end: 27 pixels of 2,000 digits of
// MNIST lost values, and with scales from what was left 2% of the digits, which are not clipped once scales
// are found, were more than 2.5 times as far from the mean as digits usually are.
Tails tails_of(double samples) {
  const double outer = std::clamp(3 / samples, 0.0015, 0.05);
  return {.outer = outer, .inner = std::min(20 * outer, 0.25)};
}

// What all samples of each feature lie within: 2 x M.
Intervals symmetric(const Vector& limits) {
  Intervals intervals(2, limits.size());
  intervals.row(0) = -limits.transpose();
  intervals.row(1) = limits.transpose();
  return intervals;
}

// From middle to middle; nothing if that is within what the intervals leave open.
Vector distances(const QuantilePair& pair) {
  const Vector distance = (pair.high.colwise().mean() - pair.low.colwise().mean()).transpose();
  const Vector open = (pair.high.row(1) - pair.high.row(0) + pair.low.row(1) - pair.low.row(0)).transpose();
  return (distance.array() > open.array()).select(distance, 0);
}

// The intervals that quantiles lie in, one for each share of the samples below it.
Task<std::vector<Intervals>> agreed_quantiles(Node& node, const Samples& samples, double count,
                                              const std::vector<double>& shares) {
  const Vector limits = co_await secure_limits(node, samples);
  std::vector<Intervals> found(shares.size(), symmetric(limits));
  const Index features = samples.rows();
  for (int round = 0; round < cutting_rounds; ++round) {
    Matrix mine(cuts - 1, std::ssize(shares) * features);
    for (std::size_t i = 0; i < shares.size(); ++i)
      mine.middleCols(static_cast<Index>(i) * features, features) =
          count_below(inner_edges(found[i]), samples);
    const Matrix counts = co_await secure_sum(node, std::move(mine), count);
    for (std::size_t i = 0; i < shares.size(); ++i)
      found[i] = narrowed(found[i], counts.middleCols(static_cast<Index>(i) * features, features),
                          shares[i] * count);
  }
  co_return found;
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
    const Vector column = values.row(feature);
    for (Index k = 0; k < edges.rows(); ++k) {
      const auto below = (column.array() < edges(k, feature)).count();
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

Intervals outlier_bounds(const QuantilePair& outer, const QuantilePair& inner) {
  const Vector distance = distances(outer);
  const Vector bulk = distances(inner);
  const double widest = distance.maxCoeff();
  Intervals bounds(2, distance.size());
  for (Index feature = 0; feature < distance.size(); ++feature) {
    double beyond = bulk(feature) > 0 ? distance(feature) : 2 * widest;
    if (!(widest > 0)) beyond = std::numeric_limits<double>::infinity();
    bounds(0, feature) = outer.low(0, feature) - beyond;
    bounds(1, feature) = outer.high(1, feature) + beyond;
  }
  return bounds;
}

void clip(const Intervals& bounds, Samples& samples) {
  for (auto sample : samples.colwise())
    sample = sample.cwiseMax(bounds.row(0).transpose()).cwiseMin(bounds.row(1).transpose());
}

Task<Samples> agreed_clipped(Node& node, Samples samples) {
  Matrix own_count = Matrix::Constant(1, 1, static_cast<double>(samples.cols()));
  const Matrix count = co_await secure_sum(node, std::move(own_count));
  const Tails tails = tails_of(count(0));
  const std::vector<double> shares = {tails.outer, 1 - tails.outer, tails.inner, 1 - tails.inner};
  const std::vector<Intervals> found = co_await agreed_quantiles(node, samples, count(0), shares);
  clip(outlier_bounds({.low = found[0], .high = found[1]}, {.low = found[2], .high = found[3]}), samples);
  co_return samples;
}

}  // namespace choir
