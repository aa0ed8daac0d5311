#include "choir/learn/agreement/agreement.h"

#include <utility>

#include "choir/base/error.h"
#include "choir/learn/agreement/distance_histogram.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

// L x 2: means beside squared deviations.
Message to_message(const Moments& moments) {
  Matrix values(moments.mean.size(), 2);
  values.col(0) = moments.mean;
  values.col(1) = moments.squares;
  Message message(Kind::own_statistics);
  message.number(moments.count).array(std::move(values));
  return message;
}

Moments to_moments(const Message& message) {
  const Eigen::Map<const Matrix> values = message.array(0).matrix();
  if (values.cols() != 2) {
    fail(ErrorCategory::BadData,
         "moments arrived with {} columns instead of 2; check that all nodes run the same choir",
         values.cols());
  }
  return {.count = message.number(0), .mean = values.col(0), .squares = values.col(1)};
}

Message add(const Message& mine, const Message& child) {
  Moments sum = to_moments(mine);
  sum += to_moments(child);
  return to_message(sum);
}

}  // namespace

Task<Moments> agreed_moments(Node& node, Moments mine) {
  const Message own = to_message(mine);
  const Combine combine = add;
  const Message agreed = co_await tree_fold(node, node.tree(), own, combine);
  co_return to_moments(agreed);
}

Task<double> agreed_gamma(Node& node, GammaSpec spec, SamplesMap shard) {
  if (spec.rule == GammaRule::scale) {
    const Moments mine = entry_moments(shard);
    const Moments entries = co_await agreed_moments(node, mine);
    co_return gamma_scale(shard.rows(), entries);
  }
  if (spec.rule == GammaRule::median) {
    const Moments mine = feature_moments(shard);
    const Moments features = co_await agreed_moments(node, mine);
    co_return gamma_median_stand_in(features);
  }
  co_return spec.value;
}

Task<double> agreed_gamma(Node& node, GammaSpec spec, const std::vector<Array>& shards) {
  const SamplesMap own = shards.front().matrix();
  if (spec.rule != GammaRule::median) co_return co_await agreed_gamma(node, spec, own);
  const Moments mine = feature_moments(own);
  const Moments features = co_await agreed_moments(node, mine);
  DistanceHistogram distances(2 * features.variance().sum());
  for (std::size_t l = 0; l < shards.size(); ++l) {
    distances.add(own, shards[l].matrix(), l == 0 ? SameSamples::yes : SameSamples::no);
  }
  const Matrix counts = co_await tree_sum(node, node.tree(), distances.counts());
  co_return 1 / (2 * distances.with(counts).median());
}

Task<Preprocessing> agreed_preprocessing(Node& node, Preprocessing wish, SamplesMap shard) {
  if (wish.standardize != Standardize::zscore) co_return wish;
  const Moments mine = feature_moments(shard);
  const Moments features = co_await agreed_moments(node, mine);
  co_return fit_zscore(wish.divide, features);
}

}  // namespace choir
