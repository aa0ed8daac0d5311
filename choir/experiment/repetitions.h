// What experiments do again and again: every setting with every seed.
//
//   for_each_repetition(options, "oneshot-kpca/fig2", panels, [&](const Panel& panel, std::uint64_t seed) {
//     measure(panel, seed, options, seen);
//   });
#pragma once

#include <cstdint>
#include <iterator>
#include <string>

#include "choir/experiment/experiment.h"
#include "choir/experiment/steps.h"

namespace choir {

// A step for whoever watches after each. Throws Error(Cancelled) on request.
template <class Settings, class Measure>
void for_each_repetition(const ExperimentOptions& options, const std::string& id, const Settings& settings,
                         const Measure& measure) {
  const auto seeds = static_cast<std::uint64_t>(repetitions(options));
  Steps steps(options.watch, id, std::size(settings) * seeds);
  for (const auto& setting : settings) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      measure(setting, seed);
      steps.next();
    }
  }
}

}  // namespace choir
