// Nodes that see one, two or all four digits.
#include <fmt/format.h>

#include "choir/experiment/consensus_kpca/comparison.h"
#include "choir/experiment/consensus_kpca/experiments.h"
#include "choir/experiment/steps.h"

namespace choir {
namespace {

struct Variant {
  std::string name;
  consensus_kpca::Options method;
};

std::vector<Variant> variants() {
  std::vector<Variant> list;
  for (const Index iterations : {10, 25}) {
    consensus_kpca::Options method = of_length(default_method(), iterations);
    list.push_back({fmt::format("landmark centring, {} iterations", iterations), method});
    method.centering = consensus_kpca::Centering::local;
    list.push_back({fmt::format("local centring, {} iterations", iterations), method});
  }
  consensus_kpca::Options shared = default_method();
  shared.share = consensus_kpca::Share::landmarks;
  list.push_back({"landmarks shared, no samples", shared});
  return list;
}

BarChart chart_of(const Measurements& seen, const std::string& quantity, const std::string& title) {
  BarChart chart{.title = title,
                 .x = {.title = "digits at a node"},
                 .y = {.title = "similarity to the central direction"},
                 .groups = seen.settings(),
                 .bars = {},
                 .lines = {}};
  for (const Variant& variant : variants()) chart.bars.push_back(seen.bars(variant.name, quantity));
  if (quantity == "own")
    chart.lines = {seen.bars(series::oracle, quantity), seen.bars(series::local, quantity)};
  return chart;
}

void measure(const Comparison& comparison, const Trial& trial, const std::string& setting,
             Measurements& seen) {
  for (const Variant& variant : variants()) {
    const Answers answers = comparison.answer(trial, variant.method);
    const consensus_kpca::Quality& quality = answers.quality;
    seen.add(setting, variant.name, "own", mean_of(quality.similarity_own));
    const bool samples = variant.method.share == consensus_kpca::Share::samples;
    seen.add(setting, variant.name, "neighbourhood or shared",
             mean_of(samples ? quality.similarity_neighborhood : quality.similarity_shared));
    if (variant.name == variants().front().name) {
      seen.add(setting, series::oracle, "own", mean_of(quality.yardsticks.oracle));
      seen.add(setting, "default", "between-node variance", answers.fit.at(0).between_node_variance);
    } else if (variant.method.centering == consensus_kpca::Centering::local &&
               variant.method.max_iter == 10) {
      seen.add(setting, series::local, "own", mean_of(quality.yardsticks.local));
    }
  }
}

}  // namespace

ExperimentResult consensus_kpca_skew(const ExperimentOptions& options) {
  const Comparison comparison(options);
  const Index seeds = repetitions(options);
  const std::vector<Index> digits = {1, 2, 4};
  Steps steps(options.watch, "consensus-kpca/skew", digits.size() * static_cast<std::size_t>(seeds));
  Measurements seen("digits a node");
  for (const Index labels : digits) {
    for (Index seed = 0; seed < seeds; ++seed) {
      const DigitDeal deal{
          .nodes = options.quick ? 8 : 20, .samples = options.quick ? 40 : 100, .labels = labels};
      const Trial trial = comparison.trial({.deal = deal, .seed = static_cast<std::uint64_t>(seed)});
      measure(comparison, trial, fmt::format("{}", labels), seen);
      steps.next();
    }
  }
  return {.table = seen.table(),
          .summaries = {seen.summary("own"), seen.summary("neighbourhood or shared"),
                        seen.summary("between-node variance")},
          .pictures = {{"", chart_of(seen, "own", "consensus-kpca/skew: own direction")},
                       {"neighborhood", chart_of(seen, "neighbourhood or shared",
                                                 "consensus-kpca/skew: neighbourhood's direction")}}};
}

}  // namespace choir
