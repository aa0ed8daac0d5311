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

// Beyond each quantile: 0.15% of the samples, but at least 3 of them, and at most 5%.
double tail_of(double samples) { return std::clamp(3 / samples, 0.0015, 0.05); }

// Above the middle value, and below it, so that the quantile on that side says where values end. With fewer,
// as in a pixel near the edge of an image, it leaves out more than a twentieth of them: 27 pixels of 2,000
// digits of MNIST lost values, and with scales from what was left 2% of the digits, which are not clipped
// once scales are found, were more than 2.5 times as far from the mean as digits usually are.
double enough_others(double samples) { return std::min(20 * tail_of(samples), 0.25) * samples; }

// What all samples of each feature lie within: 2 x M.
Intervals symmetric(const Vector& limits) {
  Intervals intervals(2, limits.size());
  intervals.row(0) = -limits.transpose();
  intervals.row(1) = limits.transpose();
  return intervals;
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

// Features whose values are nearly all the middle one, as far as the intervals it lies in tell.
Task<Flags> agreed_nearly_constant(Node& node, const Samples& samples, double count,
                                   const Intervals& middle) {
  Matrix mine = count_below(middle, samples);
  const Matrix below = co_await secure_sum(node, std::move(mine), count);
  const double enough = enough_others(count);
  const Flags few_below = below.row(0).array() < enough;
  const Flags few_above = below.row(1).array() > count - enough;
  const Flags nearly_constant = few_below && few_above;
  co_return nearly_constant;
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

Intervals outlier_bounds(const Intervals& low, const Intervals& high, const Flags& nearly_constant) {
  // From middle to middle; nothing if that is within what the intervals leave open.
  Vector distance = (high.colwise().mean() - low.colwise().mean()).transpose();
  const Vector open = (high.row(1) - high.row(0) + low.row(1) - low.row(0)).transpose();
  distance = (distance.array() > open.array()).select(distance, 0).eval();
  const double widest = distance.maxCoeff();
  Intervals bounds(2, low.cols());
  for (Index feature = 0; feature < low.cols(); ++feature) {
    const bool tells = distance(feature) > 0 && !nearly_constant(feature);
    double beyond = tells ? distance(feature) : 2 * widest;
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
  Matrix own_count = Matrix::Constant(1, 1, static_cast<double>(samples.cols()));
  const Matrix count = co_await secure_sum(node, std::move(own_count));
  const double tail = tail_of(count(0));
  const std::vector<double> shares = {tail, 0.5, 1 - tail};
  const std::vector<Intervals> found = co_await agreed_quantiles(node, samples, count(0), shares);
  const Flags nearly_constant = co_await agreed_nearly_constant(node, samples, count(0), found[1]);
  clip(outlier_bounds(found[0], found[2], nearly_constant), samples);
  co_return samples;
}

}  // namespace choir
