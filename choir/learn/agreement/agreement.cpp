#include "choir/learn/agreement/agreement.h"

#include <utility>

#include "choir/learn/agreement/distance_histogram.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"

namespace choir {
namespace {

// The count above the sum of the samples.
Matrix count_and_sum(const Moments& moments) {
  Matrix column(1 + moments.mean.size(), 1);
  column(0) = moments.count;
  column.bottomRows(moments.mean.size()) = moments.count * moments.mean;
  return column;
}

}  // namespace

// Two sums, as squares about one's own mean are no sum of the network's: of the samples, and then of their
// squares about the mean that all have found.
Task<Moments> agreed_moments(Node& node, Moments mine) {
  const Index quantities = mine.mean.size();
  const Matrix first = co_await secure_sum(node, count_and_sum(mine));
  Moments all{.count = first(0), .mean = Vector::Zero(quantities)};
  if (all.count > 0) all.mean = first.bottomRows(quantities) / all.count;
  Matrix squares = mine.squares;
  if (mine.count > 0) squares += mine.count * (mine.mean - all.mean).cwiseAbs2();
  const Matrix total = co_await secure_sum(node, std::move(squares));
  all.squares = total.cwiseMax(0);
  co_return all;
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
  Matrix mine_in_a_row = distances.counts().transpose();
  const Matrix counts = co_await secure_sum(node, std::move(mine_in_a_row));
  co_return 1 / (2 * distances.with(counts.transpose()).median());
}

Task<Preprocessing> agreed_preprocessing(Node& node, Preprocessing wish, SamplesMap shard) {
  if (wish.standardize != Standardize::zscore) co_return wish;
  const Moments mine = feature_moments(shard);
  const Moments features = co_await agreed_moments(node, mine);
  co_return fit_zscore(wish, features);
}

}  // namespace choir
