// Gaussian noise on samples before they leave a node.
#include <fmt/format.h>

#include "choir/experiment/consensus_kpca/comparison.h"
#include "choir/experiment/consensus_kpca/experiments.h"
#include "choir/experiment/steps.h"

namespace choir {
namespace {

constexpr const char* local_centring = "local centring, own";

}  // namespace

ExperimentResult consensus_kpca_noise(const ExperimentOptions& options) {
  const Comparison comparison(options);
  const Index seeds = repetitions(options);
  const std::vector<double> sigmas = {0, 10, 30, 60, 100};
  Steps steps(options.watch, "consensus-kpca/noise", sigmas.size() * static_cast<std::size_t>(seeds));
  Measurements seen("sigma");
  for (Index seed = 0; seed < seeds; ++seed) {
    const DigitDeal deal{.nodes = options.quick ? 8 : 20, .samples = options.quick ? 40 : 100};
    const Trial trial = comparison.trial({.deal = deal, .seed = static_cast<std::uint64_t>(seed)});
    for (const double sigma : sigmas) {
      consensus_kpca::Options method = default_method();
      method.exchange_noise = sigma;
      const Answers answers = comparison.answer(trial, method);
      method.centering = consensus_kpca::Centering::local;
      const consensus_kpca::Fit locally = comparison.fit(trial, method);
      const std::string setting = fmt::format("{}", sigma);
      seen.add(setting, series::own, "similarity", mean_of(answers.quality.similarity_own));
      seen.add(setting, series::neighborhood, "similarity", mean_of(answers.quality.similarity_neighborhood));
      seen.add(setting, local_centring, "similarity", comparison.own_similarity(trial, locally));
      seen.add(setting, series::oracle, "similarity", mean_of(answers.quality.yardsticks.oracle));
      seen.add(setting, series::local, "similarity", mean_of(answers.quality.yardsticks.local));
      steps.next();
    }
  }
  LineChart chart{
      .title = "consensus-kpca/noise: pixels are 0 to 255",
      .x = {.title = "sigma of the noise on a pixel"},
      .y = {.title = "similarity to the central direction"},
      .series = {seen.line(series::own, "similarity"), seen.line(series::neighborhood, "similarity"),
                 seen.line(local_centring, "similarity"), seen.line(series::local, "similarity"),
                 seen.line(series::oracle, "similarity", SeriesStyle::dashed)}};
  return {.table = seen.table(), .summaries = {seen.summary("similarity")}, .pictures = {{"", chart}}};
}

}  // namespace choir
