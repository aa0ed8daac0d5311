#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/experiment/consensus_kpca/experiments.h"
#include "choir/experiment/experiment.h"
#include "choir/experiment/federated_kmeans/experiments.h"
#include "choir/experiment/gossip_pca/experiments.h"
#include "choir/experiment/oneshot_kpca/experiments.h"
#include "choir/experiment/online_kernel/experiments.h"

namespace choir {

// A method adds its list here.
const std::vector<Experiment>& all_experiments() {
  static const std::vector<Experiment> all = [] {
    std::vector<Experiment> list;
    for (const auto& method :
         {consensus_kpca_experiments(), gossip_pca_experiments(), oneshot_kpca_experiments(),
          online_kernel_experiments(), federated_kmeans_experiments()}) {
      list.insert(list.end(), method.begin(), method.end());
    }
    return list;
  }();
  return all;
}

const Experiment& find_experiment(const std::string& id) {
  std::vector<std::string> ids;
  for (const Experiment& experiment : all_experiments()) {
    if (experiment.id == id) return experiment;
    ids.push_back(experiment.id);
  }
  fail(ErrorCategory::InvalidArgument, "there is no experiment '{}'; choose from {}", id,
       fmt::join(ids, ", "));
}

void validate(const ExperimentOptions& options) {
  if (options.seeds < 1) {
    fail(ErrorCategory::InvalidArgument, "seeds is {}; an experiment is run with at least 1", options.seeds);
  }
  if (options.threads < 0) {
    fail(ErrorCategory::InvalidArgument, "threads is {}; use 0 for all cores, or a number of them",
         options.threads);
  }
}

}  // namespace choir
