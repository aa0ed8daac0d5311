#include "choir/learn/online_kernel/feature_start.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "choir/learn/features/agreed_seed.h"
#include "choir/learn/online_kernel/class_balance.h"
#include "choir/learn/online_kernel/openings.h"
#include "choir/learn/online_kernel/ridge_family.h"
#include "choir/learn/online_kernel/start.h"

namespace choir::online_kernel {
namespace {

Task<void> agree_on_classes(Node& node, SecureSums& sums, const Vector& places, const Options& options,
                            FeatureState& features) {
  Matrix mine = count_classes(places, options).transpose();
  const Matrix counts = co_await secure_sum(node, sums, std::move(mine));
  features.class_counts = counts.row(0);
  features.uncounted = Vector::Zero(counts.cols());
}

Task<void> agree_on_features(Node& node, const Samples& samples, const Options& options, const Kernel& kernel,
                             FeatureState& features) {
  if (representation_of(options) == Representation::random_features) {
    const std::uint64_t seed = co_await agreed_seed(node);
    features.random =
        RandomFeaturesOptions{.count = features_to_use(options.n_features, options.half_life), .seed = seed};
    co_return;
  }
  const LandmarkOptions wanted{.count = features_to_use(options.n_landmarks, options.half_life),
                               .min_count = options.min_count};
  const Array shard(samples);
  const SharedLandmarks agreed = co_await agreed_landmarks(node, shard, kernel, wanted);
  features.landmarks = agreed.points.matrix();
  features.whitening = agreed.whitening.matrix();
}

// The first meeting: when a block may be complete, or when as many classes again have been seen.
std::uint64_t first_meeting(const FeatureState& features, const Options& options) {
  const double quota = block_quota(features.size(), 0, options.half_life);
  const std::uint64_t complete = rounds_until(quota, features.streams, options.batch);
  return features.class_counts.size() > 0 ? std::min(complete, 2 * features.warm_up) : complete;
}

std::string fewer_features_note(Index used, Index wanted, double half_life) {
  return fmt::format(
      "{} features instead of {}: a half-life of {:g} samples leaves too few samples behind a total of more",
      used, wanted, half_life);
}

}  // namespace

Task<State> first_feature_state(Node& node, SecureSums& sums, const TargetedSamples& first,
                                const Options& options, std::vector<std::string>& notes) {
  AgreedScales scales = co_await agreed_scales(node, first, options, notes);
  State state = std::move(scales.state);
  const Samples samples = std::move(scales.samples);
  FeatureState features;
  const Index outputs = outputs_of(options);
  state.f = empty_expansion(samples.rows(), outputs);
  if (is_classification(options.loss))
    co_await agree_on_classes(node, sums, first.targets, options, features);
  co_await agree_on_features(node, samples, options, state.kernel, features);
  const Index size = features.random ? features.random->count : features.whitening.cols();
  features.warm_up = static_cast<std::uint64_t>(warm_up_batches(options, node.network_size()));
  features.closed = FeatureSums::none(size, outputs);
  features.pending = FeatureSums::none(size, outputs);
  features.weights = Matrix::Zero(size + 1, outputs);
  features.losses = Vector::Zero(ridge_candidates);
  features.recent.samples = Samples(samples.rows(), 0);
  features.verdict = Examination::none(outputs);
  features.streams = node.network_size();
  features.next = first_meeting(features, options);
  const Index wanted = features.random ? options.n_features : options.n_landmarks;
  if (features_to_use(wanted, options.half_life) < wanted)
    notes.push_back(
        fewer_features_note(features_to_use(wanted, options.half_life), wanted, options.half_life));
  state.features = std::move(features);
  co_return state;
}

FeatureMap feature_map_of(const State& state, std::shared_ptr<FeatureStore> store) {
  FeatureMap map{.kernel = state.kernel, .random = state.features->random, .store = std::move(store)};
  if (!state.features->random) {
    map.landmarks = SharedLandmarks{.points = Array(state.features->landmarks),
                                    .whitening = Array(state.features->whitening)};
  }
  return map;
}

}  // namespace choir::online_kernel
