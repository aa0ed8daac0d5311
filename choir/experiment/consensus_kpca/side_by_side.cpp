#include "choir/base/stopwatch.h"
#include "choir/experiment/consensus_kpca/comparison.h"
#include "choir/experiment/steps.h"

namespace choir {
namespace {

void add_answers(Measurements& seen, const std::string& setting, const Answers& answers) {
  const auto add = [&](const char* name, const Matrix& by_node) {
    seen.add(setting, name, "similarity", mean_of(by_node));
  };
  add(series::own, answers.quality.similarity_own);
  add(series::neighborhood, answers.quality.similarity_neighborhood);
  add(series::gather_own, answers.quality.yardsticks.gather_own);
  add(series::gather_neighborhood, answers.quality.yardsticks.gather_neighborhood);
  add(series::oracle, answers.quality.yardsticks.oracle);
  seen.add(setting, series::own, "seconds", answers.seconds);
  seen.add(setting, series::own, "iterations", static_cast<double>(answers.fit.at(0).iterations));
}

void add_others(Measurements& seen, const std::string& setting, const Comparison& comparison,
                const Trial& trial) {
  const Stopwatch watch;
  const consensus_kpca::Fit printed = comparison.fit(trial, printed_method());
  seen.add(setting, series::printed, "seconds", watch.seconds());
  seen.add(setting, series::printed, "similarity", comparison.own_similarity(trial, printed));
  seen.add(setting, series::local, "similarity", comparison.local_similarity(trial));
  seen.add(setting, series::central, "seconds", trial.central_seconds);
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
      add_answers(seen, one.setting, comparison.answer(trial, default_method()));
      add_others(seen, one.setting, comparison, trial);
      steps.next();
    }
  }
  return seen;
}

}  // namespace choir
