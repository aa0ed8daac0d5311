#include "choir/learn/online_kernel/quick.h"

#include <algorithm>
#include <utility>

#include "choir/learn/online_kernel/feature_start.h"
#include "choir/learn/online_kernel/openings.h"
#include "choir/learn/online_kernel/ridge_family.h"

namespace choir::online_kernel {
namespace {

constexpr Index share_of_all = 8;     // one of so many features leads
constexpr Index fewest_leading = 16;  // features of a quick set
constexpr double clearly_less =
    0.98;  // of the loss of all features: a smaller set is the answer for a reason

double squared_error(const Matrix& scores, const Matrix& targets, const Vector& weights) {
  return weights.dot(Vector((targets - scores).rowwise().squaredNorm()));
}

}  // namespace

// Even, so that cosines come with their sines.
Index quick_size(Index features) {
  const Index size = features / share_of_all / 2 * 2;
  return size >= fewest_leading ? size : 0;
}

std::optional<QuickSet> new_quick_set(const Node& node, const FeatureSet& all, const Options& options) {
  const Index size = quick_size(all.size());
  if (size == 0 || options.half_life) return std::nullopt;
  QuickSet quick;
  begin_set(node, options, size, quick);
  return quick;
}

bool quick_learns(const FeatureState& features) { return features.quick && features.totals > 0; }

std::vector<Index> quick_places(const FeatureState& features) {
  const double samples = samples_per_feature * static_cast<double>(features.quick->size());
  return features_for(samples, features.size(), features.random.has_value());
}

double quick_quota(const FeatureState& features) {
  const QuickSet& quick = *features.quick;
  return std::min(block_quota(quick.size(), quick.total), block_quota(features.size(), 0));
}

void ask_both(const Matrix& psi, const Matrix& targets, const Vector& weights, FeatureState& features) {
  if (!features.quick || features.quick->used == 0 || psi.cols() == 0) return;
  QuickSet& quick = *features.quick;
  const Matrix leading = psi(quick_places(features), Eigen::all);
  quick.asked.weight += weights.sum();
  quick.asked.quick_loss += squared_error(scores_of(quick.weights, leading), targets, weights);
  quick.asked.usual_loss += squared_error(scores_of(features.weights, psi), targets, weights);
}

void compare_with_quick(const Contest& asked, bool telling, double kept, QuickSet& quick) {
  quick.asked = {};
  quick.contest *= kept;
  if (telling) quick.contest += asked;
  quick.leads = quick.contest.quick_loss < clearly_less * quick.contest.usual_loss;
}

const FeatureSet& answering(const FeatureState& features) {
  if (features.quick && features.quick->leads) return *features.quick;
  return features;
}

Matrix answer_of(const FeatureState& features) {
  if (!features.quick || !features.quick->leads) return features.weights;
  const Matrix& weights = features.quick->weights;
  const std::vector<Index> places = quick_places(features);
  Matrix all = Matrix::Zero(features.size() + 1, weights.cols());
  all(places, Eigen::all) = weights.topRows(std::ssize(places));
  all.bottomRows(1) = weights.bottomRows(1);
  return all;
}

}  // namespace choir::online_kernel
