#include "choir/data/data_info.h"

#include <algorithm>
#include <cmath>

namespace choir {
namespace {

void describe_values(const Samples& samples, DataInfo& info) {
  double sum = 0;
  Index finite = 0;
  for (Index n = 0; n < samples.cols(); ++n) {
    double column_sum = 0;  // sums by sample lose fewer digits than one long sum
    for (const double value : samples.col(n)) {
      if (std::isnan(value)) ++info.nan_count;
      if (std::isinf(value)) ++info.infinite_count;
      if (!std::isfinite(value)) continue;
      ++finite;
      column_sum += value;
      info.minimum = std::min(info.minimum.value_or(value), value);
      info.maximum = std::max(info.maximum.value_or(value), value);
    }
    sum += column_sum;
  }
  if (finite > 0) info.mean = sum / static_cast<double>(finite);
}

Index count_constant_features(const Samples& samples) {
  if (samples.cols() == 0) return 0;
  Eigen::Array<bool, Eigen::Dynamic, 1> constant =
      Eigen::Array<bool, Eigen::Dynamic, 1>::Constant(samples.rows(), true);
  for (Index n = 1; n < samples.cols(); ++n) {
    constant = constant && (samples.col(n).array() == samples.col(0).array());
  }
  return constant.count();
}

}  // namespace

DataInfo describe(const Dataset& dataset) {
  DataInfo info;
  info.source = dataset.source;
  info.type = dataset.type;
  info.samples = dataset.size();
  info.features = dataset.features();
  describe_values(dataset.samples, info);
  info.constant_features = count_constant_features(dataset.samples);
  for (const std::int64_t label : dataset.labels) ++info.label_counts[label];
  return info;
}

}  // namespace choir
