// Figure 3 of the paper: 100 images a node, ring:4, more and more nodes.
#include <fmt/format.h>

#include "choir/experiment/consensus_kpca/comparison.h"
#include "choir/experiment/consensus_kpca/experiments.h"

namespace choir {
namespace {

constexpr const char* paper = "printed in the paper";
constexpr const char* authors = "authors' program";

std::vector<Case> cases_of(const ExperimentOptions& options) {
  const std::vector<Index> sizes =
      options.quick ? std::vector<Index>{6, 12} : std::vector<Index>{10, 20, 30, 40, 50, 60, 70, 80};
  std::vector<Case> cases;
  for (const Index nodes : sizes) {
    cases.push_back(
        {fmt::format("{}", nodes), {.deal = {.nodes = nodes, .samples = options.quick ? 40 : 100}}});
  }
  return cases;
}

// What others report of the same experiment.
void add_figures_of_others(Measurements& seen) {
  for (const double value : {0.948, 0.940}) seen.add("10", authors, "similarity", value);
  for (const double value : {0.931, 0.933}) seen.add("20", authors, "similarity", value);
  seen.add("80", paper, "similarity", 0.912);
}

LineChart time_chart(const Measurements& seen) {
  LineChart chart{.title = "consensus-kpca/fig3: running time",
                  .x = {.title = "nodes"},
                  .y = {.title = "seconds", .logarithmic = true},
                  .series = {}};
  for (const char* name : {series::own, series::printed, series::central}) {
    chart.series.push_back(seen.line(name, "seconds"));
  }
  chart.series.front().name = "default";
  return chart;
}

}  // namespace

ExperimentResult consensus_kpca_fig3(const ExperimentOptions& options) {
  Measurements seen = compare_methods(options, "consensus-kpca/fig3", "nodes", cases_of(options));
  if (!options.quick) add_figures_of_others(seen);
  LineChart similarity = similarity_chart(seen, "consensus-kpca/fig3: similarity, ring:4", "nodes");
  if (!options.quick) {
    similarity.series.push_back(seen.line(authors, "similarity", SeriesStyle::points));
    similarity.series.push_back(seen.line(paper, "similarity", SeriesStyle::points));
  }
  return {
      .table = seen.table(),
      .summaries = {seen.summary("similarity"), seen.summary("seconds")},
      .pictures = {{"", similarity}, {"time", time_chart(seen)}},
      .notes = {"all nodes share the cores of one machine: seconds are the work of all nodes, divided by the "
                "cores"}};
}

}  // namespace choir
