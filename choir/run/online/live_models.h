// Models of a run that still learns, so that others can predict with them: model-<node>.npz in a folder,
// replaced atomically.
//
//   LiveModels models("states", {.every = rhythm, .loss = options.loss, .classes = classes});
//   models.look(node, state);                                // after every round
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

#include "choir/base/deadline.h"
#include "choir/learn/online_kernel/online_kernel.h"
#include "choir/model/model_file.h"
#include "choir/run/online/class_names.h"
#include "choir/run/online/settings.h"

namespace choir {

// The model file of a node.
ModelFile online_model(const online_kernel::NodeResult& node, const ClassNames& classes);

class LiveModels {
 public:
  struct Plan {
    std::optional<SaveRhythm> every = {};  // nothing: only when save() is called
    online_kernel::Loss loss = online_kernel::Loss::logistic;
    ClassNames classes = {};
  };
  LiveModels(std::filesystem::path folder, Plan plan) : folder_(std::move(folder)), plan_(std::move(plan)) {}

  // Saves the node's model if it is due. Nodes may call both concurrently.
  void look(NodeId node, const online_kernel::State& state);
  void save(NodeId node, const online_kernel::State& state) const;

 private:
  struct Saved {
    std::uint64_t samples = 0;
    Time at = {};
  };
  bool is_due(NodeId node, std::uint64_t samples);

  std::filesystem::path folder_;
  Plan plan_;
  std::mutex mutex_;
  std::map<NodeId, Saved> last_;
};

}  // namespace choir
