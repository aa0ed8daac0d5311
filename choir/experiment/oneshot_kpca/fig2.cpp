// Figure 2 of the paper: the same features among more and more parties.
#include <functional>

#include <fmt/format.h>

#include "choir/experiment/digits.h"
#include "choir/experiment/oneshot_kpca/experiments.h"
#include "choir/experiment/oneshot_kpca/rule_comparison.h"
#include "choir/experiment/repetitions.h"

namespace choir {
namespace {

constexpr Index fig2_components = 10;

struct Panel {
  std::string data;
  std::string title;
  std::function<FeatureData(std::uint64_t seed)> draw;
  std::vector<Index> parties;
  std::vector<SendingRule> rules;
};

Panel linear_panel(bool quick) {
  return {
      .data = "linear",
      .title = "linear kernel, simulated",
      .draw =
          [=](std::uint64_t seed) {
            return quick ? simulated_spectrum(200, 100, seed) : simulated_spectrum(1000, 400, seed);
          },
      .parties = quick ? std::vector<Index>{1, 10, 20} : std::vector<Index>{1, 2, 5, 10, 20, 50, 100, 200},
      .rules = {fixed_size(fig2_components), adaptive_size(KernelKind::linear),
                distances_size(fig2_components + 1)}};
}

Panel image_panel(bool quick, const Dataset& digits) {
  return {.data = "images",
          .title = "rbf kernel, 537 images",
          .draw = [=, &digits](std::uint64_t seed) { return digit_images(digits, quick ? 120 : 537, seed); },
          .parties = quick ? std::vector<Index>{1, 28} : std::vector<Index>{1, 2, 4, 7, 14, 28, 56, 112},
          .rules = {fixed_size(fig2_components), fixed_size(15), adaptive_size(KernelKind::rbf),
                    default_size(KernelKind::rbf, fig2_components), distances_size(15)}};
}

Panel pixel_panel(bool quick, const Dataset& digits) {
  const PixelSpec spec = quick ? PixelSpec{.images = 400, .pool = 100, .samples = 100} : PixelSpec{};
  return {.data = "pixels",
          .title = "rbf kernel, 537 pixels of 8545 images",
          .draw = [=, &digits](std::uint64_t seed) { return digit_pixels(digits, spec, seed); },
          .parties = quick ? std::vector<Index>{1, 8} : std::vector<Index>{1, 2, 5, 10, 20, 40, 60, 120},
          .rules = {fixed_size(15), fixed_size(30), adaptive_size(KernelKind::rbf),
                    default_size(KernelKind::rbf, fig2_components), distances_size(30)}};
}

void measure(const Panel& panel, std::uint64_t seed, const ExperimentOptions& options, Measurements& seen) {
  const FeatureData data = panel.draw(seed);
  const CentralTruth truth(data, fig2_components, options.threads);
  for (const Index parties : panel.parties) {
    const std::vector<Samples> shards = divide(data.features, even_cuts(data.features.rows(), parties));
    const FusionTask task{
        .kernel = data.kernel, .shards = shards, .components = fig2_components, .threads = options.threads};
    compare_rules(task, truth, {.data = panel.data, .setting = fmt::format("{}", parties)}, panel.rules,
                  seen);
  }
}

Picture picture_of(const Measurements& seen, const Panel& panel) {
  return {panel.data, rule_error_chart(seen, panel.rules,
                                       {.title = "oneshot-kpca/fig2: " + panel.title,
                                        .x = "parties",
                                        .data = panel.data,
                                        .logarithmic_x = true})};
}

}  // namespace

ExperimentResult oneshot_kpca_fig2(const ExperimentOptions& options) {
  const Dataset digits = read_digits(options, {});
  const std::vector<Panel> panels = {linear_panel(options.quick), image_panel(options.quick, digits),
                                     pixel_panel(options.quick, digits)};
  Measurements seen("parties");
  for_each_repetition(options, "oneshot-kpca/fig2", panels,
                      [&](const Panel& panel, std::uint64_t seed) { measure(panel, seed, options, seen); });
  ExperimentResult result;
  for (const Panel& panel : panels) {
    result.summaries.push_back(seen.summary(of_data("error", panel.data)));
    result.pictures.push_back(picture_of(seen, panel));
  }
  result.table = seen.table();
  result.notes = {"adaptive: eq. 4 as printed; default: the same with at least D + 5 vectors for rbf",
                  "a party that sends as many vectors as it has features shows them up to a rotation",
                  "pictures show errors below 1e-10 as 1e-10"};
  return result;
}

}  // namespace choir
