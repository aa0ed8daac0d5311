#include "choir/learn/online_kernel/rivals.h"

#include <algorithm>
#include <utility>

#include "choir/learn/online_kernel/feature_start.h"
#include "choir/learn/online_kernel/openings.h"
#include "choir/learn/online_kernel/quick.h"

namespace choir::online_kernel {
namespace {

constexpr Index patience = 4;  // totals that new features have to be better than the old ones

double mean_loss(const FeatureSet& set) {
  return set.verdict.weight > 0 ? set.verdict.loss / set.verdict.weight : 0;
}

// From here on the stream is compared with how it looks now.
void look_anew(FeatureState& features, Scene scene) { features.fitness = {.scene = std::move(scene)}; }

void take_over(Gathering& gathering, State& state) {
  FeatureState& features = *state.features;
  RivalSet rival = std::move(*features.rival);
  state.kernel = rival.kernel;
  state.preprocessing = std::move(rival.preprocessing);
  look_anew(features, std::move(rival.scene));
  static_cast<FeatureSet&>(features) = std::move(rival);
  features.rival.reset();
  features.quick = new_quick_set(gathering.node, features, gathering.options);
  features.renewals += 1;
  gathering.map = std::move(*gathering.rival_map);
  gathering.rival_map.reset();
}

}  // namespace

Index features_at_work(const FeatureState& features) {
  return features.size() + (features.quick ? features.quick->size() : 0) +
         (features.rival ? features.rival->size() : 0);
}

double samples_needed(const FeatureState& features) {
  return samples_per_feature * static_cast<double>(features_at_work(features));
}

Task<void> begin_rival(Gathering& gathering, State& state, Index fresh) {
  FeatureState& features = *state.features;
  Samples recent = features.recent.samples.rightCols(std::min(fresh, features.recent.samples.cols()));
  RivalSet rival = co_await new_rival(gathering.node, gathering.sums, std::move(recent), gathering.options);
  gathering.rival_map = feature_map_of(rival.kernel, rival, gathering.store);
  features.rival = std::move(rival);
}

void drop_rival(Gathering& gathering, FeatureState& features) {
  features.rival.reset();
  gathering.rival_map.reset();
  look_anew(features, features.fitness.scene);
}

void compare_sets(Gathering& gathering, State& state) {
  FeatureState& features = *state.features;
  RivalSet& rival = *features.rival;
  rival.asked += 1;
  rival.loss += mean_loss(rival);
  rival.incumbent_loss += mean_loss(features);
  if (rival.loss < rival.incumbent_loss) {
    take_over(gathering, state);
  } else if (rival.asked >= patience) {
    drop_rival(gathering, features);
  }
}

}  // namespace choir::online_kernel
