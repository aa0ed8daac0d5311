#include "choir/learn/online_kernel/feature_start.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "choir/learn/features/agreed_seed.h"
#include "choir/learn/online_kernel/class_balance.h"
#include "choir/learn/online_kernel/openings.h"
#include "choir/learn/online_kernel/quick.h"
#include "choir/learn/online_kernel/ridge_family.h"
#include "choir/learn/online_kernel/rivals.h"
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

Index features_allowed(const Options& options) {
  const bool random = representation_of(options) == Representation::random_features;
  return features_to_use(random ? options.n_features : options.n_landmarks, options.half_life.value_or(0));
}

Task<void> agree_on_features(Node& node, const Samples& samples, const Options& options, const Kernel& kernel,
                             FeatureSet& set) {
  const Index count = features_allowed(options);
  if (representation_of(options) == Representation::random_features) {
    const std::uint64_t seed = co_await agreed_seed(node);
    set.random = RandomFeaturesOptions{.count = count, .seed = seed};
    co_return;
  }
  const LandmarkOptions wanted{.count = count, .min_count = options.min_count};
  const Array shard(samples);
  const SharedLandmarks agreed = co_await agreed_landmarks(node, shard, kernel, wanted);
  set.landmarks = agreed.points.matrix();
  set.whitening = agreed.whitening.matrix();
}

Index size_of(const FeatureSet& set) { return set.random ? set.random->count : set.whitening.cols(); }

Task<Scene> agreed_scene(Node& node, SecureSums& sums, const Samples& samples) {
  Matrix mine(1, samples.rows() + 1);
  mine << samples.rowwise().sum().transpose(), static_cast<double>(samples.cols());
  const Matrix total = co_await secure_sum(node, sums, std::move(mine));
  const double count = total(0, samples.rows());
  Scene scene{.centre = total.row(0).head(samples.rows()).transpose() / count};
  Matrix squares = Matrix::Constant(1, 1, (samples.colwise() - scene.centre).squaredNorm());
  const Matrix spread = co_await secure_sum(node, sums, std::move(squares));
  if (spread(0, 0) > 0) scene.spread = spread(0, 0) / count;
  co_return scene;
}

// The first meeting: when a block may be complete, or when as many classes again have been seen.
std::uint64_t first_meeting(const FeatureState& features, const Options& options) {
  const double quota = block_quota(features_at_work(features), 0);
  const std::uint64_t complete = rounds_until(quota, features.streams, options.batch);
  return features.class_counts.size() > 0 ? std::min(complete, 2 * features.warm_up) : complete;
}

std::string fewer_features_note(Index used, Index wanted, double half_life) {
  return fmt::format(
      "{} features instead of {}: a half-life of {:g} samples leaves too few samples behind a total of more",
      used, wanted, half_life);
}

}  // namespace

void begin_set(const Node& node, const Options& options, Index size, FeatureSet& set) {
  const Index outputs = outputs_of(options);
  set.closed = FeatureSums::none(size, outputs);
  set.pending = FeatureSums::none(size, outputs);
  if (node.tree().parent == node.id())  // the root
    set.memories = Memories::none(half_lives_to_try(options.half_life, size), size, outputs);
  set.weights = Matrix::Zero(size + 1, outputs);
  set.losses = Vector::Zero(ridge_candidates);
  set.half_life = options.half_life.value_or(0);
  set.verdict = Examination::none(outputs);
}

Task<State> first_feature_state(Node& node, SecureSums& sums, const TargetedSamples& first,
                                const Options& options, std::vector<std::string>& notes) {
  AgreedScales scales = co_await agreed_scales(node, first, options, notes);
  State state = std::move(scales.state);
  const Samples samples = std::move(scales.samples);
  FeatureState features;
  state.f = empty_expansion(samples.rows(), outputs_of(options));
  if (is_classification(options.loss))
    co_await agree_on_classes(node, sums, first.targets, options, features);
  co_await agree_on_features(node, samples, options, state.kernel, features);
  begin_set(node, options, size_of(features), features);
  features.quick = new_quick_set(node, features, options);
  features.fitness.scene = co_await agreed_scene(node, sums, samples);
  features.warm_up = static_cast<std::uint64_t>(warm_up_batches(options, node.network_size()));
  features.recent.samples = Samples(samples.rows(), 0);
  features.streams = node.network_size();
  features.next = first_meeting(features, options);
  const Index wanted = features.random ? options.n_features : options.n_landmarks;
  if (features_allowed(options) < wanted)
    notes.push_back(fewer_features_note(features_allowed(options), wanted, *options.half_life));
  state.features = std::move(features);
  co_return state;
}

Task<RivalSet> new_rival(Node& node, SecureSums& sums, Samples recent, const Options& options) {
  std::vector<std::string> known;  // notes of the first time
  const AgreedView view = co_await agreed_view(node, std::move(recent), options, known);
  RivalSet rival;
  rival.kernel = view.kernel;
  rival.preprocessing = view.preprocessing;
  co_await agree_on_features(node, view.samples, options, view.kernel, rival);
  begin_set(node, options, size_of(rival), rival);
  rival.scene = co_await agreed_scene(node, sums, view.samples);
  co_return rival;
}

FeatureMap feature_map_of(const Kernel& kernel, const FeatureSet& set, std::shared_ptr<FeatureStore> store) {
  FeatureMap map{.kernel = kernel, .random = set.random, .store = std::move(store)};
  if (!set.random)
    map.landmarks = SharedLandmarks{.points = Array(set.landmarks), .whitening = Array(set.whitening)};
  return map;
}

}  // namespace choir::online_kernel
