#include "choir/metrics/classification.h"

#include <algorithm>
#include <cmath>

#include "choir/metrics/checks.h"

namespace choir {

double accuracy(Labels truth, Labels predicted) {
  require_same_length(truth, predicted);
  Index hits = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) hits += truth[i] == predicted[i] ? 1 : 0;
  return static_cast<double>(hits) / static_cast<double>(truth.size());
}

ConfusionMatrix confusion_matrix(Labels truth, Labels predicted) {
  require_same_length(truth, predicted);
  ConfusionMatrix result;
  auto& labels = result.labels;
  labels.assign(truth.begin(), truth.end());
  labels.insert(labels.end(), predicted.begin(), predicted.end());
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  const auto place = [&](std::int64_t label) {
    return std::lower_bound(labels.begin(), labels.end(), label) - labels.begin();
  };
  const auto count = static_cast<Index>(labels.size());
  result.counts.setZero(count, count);
  for (std::size_t i = 0; i < truth.size(); ++i) ++result.counts(place(truth[i]), place(predicted[i]));
  return result;
}

double root_mean_squared_error(const VectorView<double>& truth, const VectorView<double>& predicted) {
  require_same_length(truth.size(), predicted.size());
  return std::sqrt((truth - predicted).squaredNorm() / static_cast<double>(truth.size()));
}

}  // namespace choir
