#include "choir/learn/agreement/distance_histogram.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "choir/base/error.h"

namespace choir {
namespace {

constexpr double decades_below = 4;
constexpr double decades = 6;

Index bin_of(double ratio) {
  if (!(ratio > 0)) return 0;
  const double place = (std::log10(ratio) + decades_below) / decades * DistanceHistogram::bins;
  return static_cast<Index>(std::clamp(place, 0.0, static_cast<double>(DistanceHistogram::bins - 1)));
}

double ratio_at(double place) {
  return std::pow(10, place / DistanceHistogram::bins * decades - decades_below);
}

}  // namespace

DistanceHistogram::DistanceHistogram(double scale) : scale_(scale), counts_(Matrix::Zero(bins, 1)) {
  if (!(scale > 0)) {
    throw Error(ErrorCategory::InvalidArgument,
                "all samples are the same, so there is no median distance; give gamma as a number");
  }
}

void DistanceHistogram::add(const MatrixView<double>& x, const MatrixView<double>& y, SameSamples same) {
  Matrix distances = -2 * (x.transpose() * y);
  distances.colwise() += x.colwise().squaredNorm().transpose();
  distances.rowwise() += y.colwise().squaredNorm();
  for (Index j = 0; j < distances.cols(); ++j) {
    for (Index i = 0; i < distances.rows(); ++i) {
      if (same == SameSamples::no || i != j) counts_(bin_of(distances(i, j) / scale_)) += 1;
    }
  }
}

DistanceHistogram DistanceHistogram::with(Matrix counts) const {
  DistanceHistogram other(scale_);
  other.counts_ = std::move(counts);
  return other;
}

double DistanceHistogram::median() const {
  const double half = counts_.sum() / 2;
  double below = 0;
  for (Index bin = 0; bin < bins && half > 0; ++bin) {
    const double here = counts_(bin);
    if (below + here < half) {
      below += here;
      continue;
    }
    if (bin == 0) break;
    return scale_ * ratio_at(static_cast<double>(bin) + (half - below) / here);
  }
  throw Error(ErrorCategory::InvalidArgument,
              "more than half of the pairs of samples are (nearly) the same, so their median distance is "
              "meaningless; give gamma as a number, or use scale");
}

}  // namespace choir
