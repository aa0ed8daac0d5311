// Ten components: samples shared with neighbours, landmarks only, or nothing but sums of random features.
#include <fmt/format.h>

#include "choir/experiment/consensus_kpca/comparison.h"
#include "choir/experiment/consensus_kpca/experiments.h"
#include "choir/experiment/steps.h"

namespace choir {
namespace {

constexpr Index component_count = 10;

struct Variant {
  std::string name;
  consensus_kpca::Options method;
};

Variant landmarks(Index count, Index min_count) {
  consensus_kpca::Options method = default_method(component_count);
  method.share = consensus_kpca::Share::landmarks;
  method.n_landmarks = count;
  method.min_count = min_count;
  return {fmt::format("{} landmarks of {} or more images", count, min_count), method};
}

Variant features(Index count) {
  consensus_kpca::Options method = default_method(component_count);
  method.share = consensus_kpca::Share::random_features;
  method.n_features = count;
  return {fmt::format("{} random features", count), method};
}

std::vector<Variant> variants(const ExperimentOptions& options) {
  std::vector<Variant> list = {{"samples", default_method(component_count)}};
  if (options.quick) {
    list.push_back(landmarks(40, 3));
    list.push_back(features(400));
    return list;
  }
  for (const Index count : {100, 200, 400, 800}) list.push_back(landmarks(count, 3));
  for (const Index count : {400, 800}) list.push_back(landmarks(count, 1));
  for (const Index count : {1000, 2000, 4000}) list.push_back(features(count));
  return list;
}

// The answer in the largest span that the variant has, next to the own one.
const Matrix& wide_answer(const consensus_kpca::Quality& quality) {
  return quality.similarity_neighborhood.size() > 0 ? quality.similarity_neighborhood
                                                    : quality.similarity_shared;
}

void add(Measurements& seen, const std::string& name, const char* quantity, const Matrix& by_node) {
  for (Index d = 0; d < by_node.cols(); ++d) {
    seen.add(fmt::format("{}", d + 1), name, quantity, mean_of(by_node, d));
  }
}

LineChart chart_of(const Measurements& seen, const std::vector<Variant>& list, const char* quantity,
                   const std::string& title) {
  LineChart chart{.title = title,
                  .x = {.title = "component"},
                  .y = {.title = "similarity to the central component"},
                  .series = {}};
  for (const Variant& variant : list) {
    Series line = seen.line(variant.name, quantity);
    line.low.clear();  // the lines are too close for error bars; the table has them
    line.high.clear();
    if (!line.x.empty()) chart.series.push_back(std::move(line));
  }
  return chart;
}

}  // namespace

ExperimentResult consensus_kpca_components(const ExperimentOptions& options) {
  const Comparison comparison(options);
  const Index seeds = repetitions(options);
  const std::vector<Variant> list = variants(options);
  Steps steps(options.watch, "consensus-kpca/components", list.size() * static_cast<std::size_t>(seeds));
  Measurements seen("component");
  for (Index seed = 0; seed < seeds; ++seed) {
    const DigitDeal deal{.nodes = options.quick ? 8 : 20, .samples = options.quick ? 40 : 100};
    const Trial trial = comparison.trial(
        {.deal = deal, .components = component_count, .seed = static_cast<std::uint64_t>(seed)});
    for (const Variant& variant : list) {
      const consensus_kpca::Quality quality = comparison.answer(trial, variant.method).quality;
      add(seen, variant.name, "own", quality.similarity_own);
      add(seen, variant.name, "neighbourhood or shared", wide_answer(quality));
      if (variant.name == list.front().name) add(seen, series::oracle, "own", quality.yardsticks.oracle);
      steps.next();
    }
  }
  // Landmarks that may be single images make no difference that the own directions' picture could show.
  std::vector<Variant> shown = list;
  std::erase_if(shown, [](const Variant& variant) { return variant.method.min_count == 1; });
  LineChart own = chart_of(seen, shown, "own", "consensus-kpca/components: own directions");
  own.series.push_back(seen.line(series::oracle, "own", SeriesStyle::dashed));
  const LineChart wide = chart_of(seen, list, "neighbourhood or shared",
                                  "consensus-kpca/components: neighbourhood's or shared directions");
  return {.table = seen.table(),
          .summaries = {seen.summary("own"), seen.summary("neighbourhood or shared")},
          .pictures = {{"", own}, {"wide", wide}},
          .notes = {"directions in random features live in another space than the central ones: only the own "
                    "directions made from them can be compared"}};
}

}  // namespace choir
