// Three ways to centre, on nodes that see the same and on nodes that see one digit each.
#include "choir/experiment/consensus_kpca/comparison.h"
#include "choir/experiment/consensus_kpca/experiments.h"
#include "choir/experiment/steps.h"

namespace choir {
namespace {

struct Setting {
  std::string name;
  Index labels;
};

void measure(const Comparison& comparison, const TrialSpec& spec, const std::string& setting,
             Measurements& seen) {
  const Trial centred = comparison.trial(spec);
  TrialSpec origin = spec;
  origin.centre = false;
  const Trial uncentred = comparison.trial(origin);
  for (const consensus_kpca::Centering centring :
       {consensus_kpca::Centering::landmark, consensus_kpca::Centering::local,
        consensus_kpca::Centering::none}) {
    consensus_kpca::Options method = default_method();
    method.centering = centring;
    const Answers answers =
        comparison.answer(centring == consensus_kpca::Centering::none ? uncentred : centred, method);
    const std::string name(to_string(centring));
    seen.add(setting, name, "own", mean_of(answers.quality.similarity_own));
    seen.add(setting, name, "neighbourhood", mean_of(answers.quality.similarity_neighborhood));
    seen.add(setting, name, "best in own span", mean_of(answers.quality.yardsticks.oracle));
    seen.add(setting, name, "consensus gap", answers.fit.at(0).consensus_gap(0));
  }
}

BarChart chart_of(const Measurements& seen) {
  BarChart chart{.title = "consensus-kpca/centring: own direction, ring:4",
                 .x = {},
                 .y = {.title = "similarity of the own direction"},
                 .groups = seen.settings(),
                 .bars = {},
                 .lines = {}};
  for (const consensus_kpca::Centering centring :
       {consensus_kpca::Centering::landmark, consensus_kpca::Centering::local,
        consensus_kpca::Centering::none}) {
    chart.bars.push_back(seen.bars(std::string(to_string(centring)), "own"));
  }
  return chart;
}

}  // namespace

ExperimentResult consensus_kpca_centring(const ExperimentOptions& options) {
  const Comparison comparison(options);
  const Index seeds = repetitions(options);
  const std::vector<Setting> settings = {{"all digits at every node", 4}, {"one digit a node", 1}};
  Steps steps(options.watch, "consensus-kpca/centring", settings.size() * static_cast<std::size_t>(seeds));
  Measurements seen("data");
  for (const Setting& setting : settings) {
    for (Index seed = 0; seed < seeds; ++seed) {
      const DigitDeal deal{
          .nodes = options.quick ? 8 : 20, .samples = options.quick ? 40 : 100, .labels = setting.labels};
      measure(comparison, {.deal = deal, .seed = static_cast<std::uint64_t>(seed)}, setting.name, seen);
      steps.next();
    }
  }
  return {.table = seen.table(),
          .summaries = {seen.summary("own"), seen.summary("neighbourhood"), seen.summary("best in own span"),
                        seen.summary("consensus gap")},
          .pictures = {{"", chart_of(seen)}},
          .notes = {
              "without centring the central answer is the first direction about the origin: nearly the mean, "
              "which is easy to agree on and says little about the data"}};
}

}  // namespace choir
