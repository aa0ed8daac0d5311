#include "choir/experiment/oneshot_kpca/rule_comparison.h"

#include <algorithm>

#include <fmt/format.h>

namespace choir {

std::string of_data(const char* quantity, const std::string& data) {
  return fmt::format("{}, {}", quantity, data);
}

void compare_rules(const FusionTask& task, const CentralTruth& truth, const RulePlace& place,
                   const std::vector<SendingRule>& rules, Measurements& seen) {
  for (const SendingRule& rule : rules) {
    const FusedOutcome outcome = fuse(task, rule);
    const auto add = [&](const char* quantity, double value) {
      seen.add(place.setting, rule.name, of_data(quantity, place.data), value);
    };
    add("error", truth.error(outcome.answer.vectors));
    add("vectors", static_cast<double>(outcome.vectors));
    add("numbers sent", static_cast<double>(outcome.numbers));
    add("smallest eigenvalue / first", smallest_eigenvalue_share(outcome.kernel));
  }
}

namespace {

// What is below is as good as exact, and would take the most of a logarithmic axis.
constexpr double smallest_drawn = 1e-10;

Series drawn(Series line) {
  for (std::vector<double>* values : {&line.y, &line.low, &line.high}) {
    for (double& value : *values) value = std::max(value, smallest_drawn);
  }
  return line;
}

}  // namespace

LineChart rule_error_chart(const Measurements& seen, const std::vector<SendingRule>& rules,
                           const RuleChart& look) {
  LineChart chart{.title = look.title,
                  .x = {.title = look.x, .logarithmic = look.logarithmic_x},
                  .y = {.title = "D - ||V'V^||^2, D = 10", .logarithmic = true},
                  .series = {}};
  for (const SendingRule& rule : rules) {
    chart.series.push_back(drawn(seen.line(rule.name, of_data("error", look.data), rule.style)));
  }
  return chart;
}

LineChart rule_traffic_chart(const Measurements& seen, const std::vector<SendingRule>& rules,
                             const RuleChart& look) {
  LineChart chart{.title = look.title,
                  .x = {.title = look.x, .logarithmic = look.logarithmic_x},
                  .y = {.title = "vectors sent, sum of D_j", .from = 0},
                  .series = {}};
  for (const SendingRule& rule : rules) {
    chart.series.push_back(seen.line(rule.name, of_data("vectors", look.data), rule.style));
  }
  return chart;
}

}  // namespace choir
