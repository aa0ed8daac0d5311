#include "choir/experiment/consensus_kpca/comparison.h"
#include "choir/experiment/steps.h"

namespace choir {
namespace {

void add_similarities(Measurements& seen, const std::string& setting, const ConsensusQuality& ours,
                      const ConsensusQuality& printed) {
  const auto add = [&](const char* name, const Matrix& by_node) {
    seen.add(setting, name, "similarity", mean_of(by_node));
  };
  add(series::own, ours.similarity_own);
  add(series::neighborhood, ours.similarity_neighborhood);
  add(series::printed, printed.similarity_own);
  // A node alone has no mean but its own: the yardstick under the printed method's centring.
  add(series::local, printed.yardsticks.local);
  add(series::gather_own, ours.yardsticks.gather_own);
  add(series::gather_neighborhood, ours.yardsticks.gather_neighborhood);
  add(series::oracle, ours.yardsticks.oracle);
}

}  // namespace

Measurements compare_methods(const ExperimentOptions& options, const std::string& stage,
                             const std::string& setting_name, const std::vector<Case>& cases) {
  const Comparison comparison(options);
  const Index seeds = repetitions(options);
  Steps steps(options.watch, stage, cases.size() * static_cast<std::size_t>(seeds));
  Measurements seen(setting_name);
  for (const Case& one : cases) {
    for (Index seed = 0; seed < seeds; ++seed) {
      TrialSpec spec = one.spec;
      spec.seed = static_cast<std::uint64_t>(seed);
      const Trial trial = comparison.trial(spec);
      const Answers ours = comparison.answer(trial, default_method());
      const Answers printed = comparison.answer(trial, printed_method());
      add_similarities(seen, one.setting, ours.quality, printed.quality);
      seen.add(one.setting, series::own, "seconds", ours.seconds);
      seen.add(one.setting, series::printed, "seconds", printed.seconds);
      seen.add(one.setting, series::central, "seconds", trial.central_seconds);
      seen.add(one.setting, series::own, "iterations", static_cast<double>(ours.fit.at(0).iterations));
      steps.next();
    }
  }
  return seen;
}

}  // namespace choir
