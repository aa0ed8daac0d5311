#include "choir/run/online/live_models.h"

#include <fmt/format.h>

namespace choir {

ModelFile online_model(const online_kernel::NodeResult& node, const ClassNames& classes) {
  KernelMachine machine = machine_of(node);
  machine.class_names = classes.words;
  return file_with(node.node, "own", std::move(machine));
}

// A node whose first samples have just come has saved nothing before, and the time begins.
bool LiveModels::is_due(NodeId node, std::uint64_t samples) {
  const std::lock_guard lock(mutex_);
  const Time now = steady_now();
  const auto [place, is_first] = last_.try_emplace(node, Saved{.samples = 0, .at = now});
  Saved& last = place->second;
  const SaveRhythm& every = *plan_.every;
  const bool due = every.samples > 0 ? samples / every.samples > last.samples / every.samples
                                     : !is_first && now - last.at >= every.time;
  if (due || is_first) last = {.samples = samples, .at = now};
  return due;
}

void LiveModels::look(NodeId node, const online_kernel::State& state) {
  if (plan_.every && is_due(node, state.samples)) save(node, state);
}

void LiveModels::save(NodeId node, const online_kernel::State& state) const {
  ModelFile file = online_model(
      {.node = node, .state = state, .loss = plan_.loss, .classes = plan_.classes.labels}, plan_.classes);
  file.method = "online-kernel";
  save_model(folder_ / fmt::format("model-{}.npz", node), file);
}

}  // namespace choir
