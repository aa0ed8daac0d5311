// Squared distances in bins of equal ratio: what nodes can add up to find a median that none of them sees.
//
//   DistanceHistogram mine(mean_square);              // a scale all nodes share: the mean squared distance
//   mine.add(own, theirs, SameSamples::no);
//   const double median = mine.with(summed_counts).median();
#pragma once

#include "choir/linalg/types.h"

namespace choir {

enum class SameSamples { no, yes };  // yes: pairs of a sample with itself are left out

class DistanceHistogram {
 public:
  static constexpr Index bins = 512;  // from 1e-4 to 1e2 times the scale: 2.7% each

  // Throws Error(InvalidArgument) if the scale is not positive: all samples are the same.
  explicit DistanceHistogram(double scale);

  void add(const MatrixView<double>& x, const MatrixView<double>& y, SameSamples same);
  const Matrix& counts() const { return counts_; }  // bins x 1
  DistanceHistogram with(Matrix counts) const;

  // Interpolated within its bin. Throws Error(InvalidArgument) if there are no pairs, or more than half of
  // them are closer than the first bin.
  double median() const;

 private:
  double scale_;
  Matrix counts_;
};

}  // namespace choir
