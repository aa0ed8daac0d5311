// Figure 3 of the paper: more and more samples, parties with unlike numbers of features.
#include <functional>

#include <fmt/format.h>

#include "choir/experiment/digits.h"
#include "choir/experiment/oneshot_kpca/experiments.h"
#include "choir/experiment/oneshot_kpca/rule_comparison.h"
#include "choir/experiment/repetitions.h"

namespace choir {
namespace {

constexpr Index fig3_components = 10;

struct SizePanel {
  std::string data;
  std::string title;
  std::function<FeatureData(Index samples, std::uint64_t seed)> draw;
  Index parties;
  std::vector<Index> samples;
  std::vector<SendingRule> rules;
};

std::vector<SendingRule> rules_for(KernelKind kind) {
  std::vector<SendingRule> rules = {fixed_size(5), fixed_size(10), fixed_size(15), adaptive_size(kind)};
  // The floor of the default is for scales that differ, which these linear data do not.
  if (kind == KernelKind::rbf) rules.push_back(default_size(kind, fig3_components));
  return rules;
}

std::vector<SizePanel> size_panels_of(const ExperimentOptions& options, const Dataset& digits) {
  const bool quick = options.quick;
  const std::vector<Index> few = {60, 120};
  const std::vector<Index> up_to_537 = {100, 200, 300, 400, 537};
  PixelSpec spec = quick ? PixelSpec{.images = 400, .pool = 120} : PixelSpec{};
  return {
      {"linear", "linear kernel, simulated, 10 parties",
       [=](Index samples, std::uint64_t seed) {
         return simulated_spectrum(quick ? 300 : 1000, samples, seed);
       },
       10, quick ? few : std::vector<Index>{100, 150, 200, 250, 300, 350, 400},
       rules_for(KernelKind::linear)},
      {"images", "rbf kernel, images, 28 parties",
       [=, &digits](Index samples, std::uint64_t seed) { return digit_images(digits, samples, seed); }, 28,
       quick ? few : up_to_537, rules_for(KernelKind::rbf)},
      {"pixels", quick ? "rbf kernel, pixels, 8 parties" : "rbf kernel, pixels, 60 parties",
       [=, &digits](Index samples, std::uint64_t seed) {
         PixelSpec of_these = spec;
         of_these.samples = samples;
         return digit_pixels(digits, of_these, seed);
       },
       quick ? 8 : 60, quick ? few : up_to_537, rules_for(KernelKind::rbf)},
  };
}

void measure_sizes(const SizePanel& panel, std::uint64_t seed, const ExperimentOptions& options,
                   Measurements& seen) {
  for (const Index samples : panel.samples) {
    const FeatureData data = panel.draw(samples, seed);
    const CentralTruth truth(data, fig3_components, options.threads);
    const std::vector<Samples> shards =
        divide(data.features, uneven_cuts(data.features.rows(), panel.parties, seed));
    const FusionTask task{
        .kernel = data.kernel, .shards = shards, .components = fig3_components, .threads = options.threads};
    compare_rules(task, truth, {.data = panel.data, .setting = fmt::format("{}", samples)}, panel.rules,
                  seen);
  }
}

void draw_pictures(const Measurements& seen, const SizePanel& panel, ExperimentResult& result) {
  const RuleChart look{.title = "oneshot-kpca/fig3: " + panel.title, .x = "samples T", .data = panel.data};
  result.pictures.push_back({panel.data, rule_error_chart(seen, panel.rules, look)});
  result.pictures.push_back({panel.data + "-vectors", rule_traffic_chart(seen, panel.rules, look)});
}

}  // namespace

ExperimentResult oneshot_kpca_fig3(const ExperimentOptions& options) {
  const Dataset digits = read_digits(options, {});
  const std::vector<SizePanel> panels = size_panels_of(options, digits);
  Measurements seen("samples");
  for_each_repetition(options, "oneshot-kpca/fig3", panels, [&](const SizePanel& panel, std::uint64_t seed) {
    measure_sizes(panel, seed, options, seen);
  });
  ExperimentResult result;
  for (const SizePanel& panel : panels) {
    result.summaries.push_back(seen.summary(of_data("error", panel.data)));
    result.summaries.push_back(seen.summary(of_data("vectors", panel.data)));
    draw_pictures(seen, panel, result);
  }
  result.table = seen.table();
  result.notes = {"adaptive: eq. 4 as printed; default: the same with at least D + 5 vectors for rbf",
                  "the features are cut at random places; a party may have only one"};
  return result;
}

}  // namespace choir
