#include "choir/learn/online_kernel/pace.h"

#include <algorithm>

#include <fmt/format.h>

namespace choir::online_kernel {

void Pace::tell(const Round& round) const {
  const double rate = static_cast<double>(round.samples - before_) / std::max(clock_.seconds(), 1e-9);
  watch_.report(fmt::format("{:.0f} samples a second at node {}, samples", rate, node_),
                static_cast<Index>(round.samples), 0, round.recent_loss);
}

void tell_predictions(const Hooks& hooks, NodeId node, const State& state, const Matrix& scores,
                      const Vector& targets) {
  if (!hooks.predicted) return;
  const TargetScale& target = state.target;  // 0 and 1 for classes
  hooks.predicted(node, state.samples, (scores.array() * target.scale + target.centre).matrix(), targets);
}

void report_state(const State& state, const Options& options, Round& report) {
  const Progressive& seen = state.progressive;
  report.round = state.round;
  report.samples = state.samples;
  report.model_order = state.order();
  report.judged = seen.samples;
  report.progressive_loss = seen.mean_loss();
  report.recent_loss = seen.recent;
  report.progressive_quality = is_classification(options.loss) ? seen.accuracy() : seen.rmse();
}

}  // namespace choir::online_kernel
