// Several rules of what to send, side by side: what figures 2 and 3 have in common.
//
//   compare_rules({data.kernel, shards}, truth, {.data = "images", .setting = "28"}, rules, seen);
//   rule_error_chart(seen, rules, {.title = ..., .x = "parties", .data = "images"});
//
// Quantities, each followed by the name of the data: error (D - ||V'V^||_F^2), vectors (sum of D_j), numbers
// sent (of all parties together), smallest eigenvalue / first (of the fused kernel matrix).
#pragma once

#include <string>
#include <vector>

#include "choir/experiment/measurements.h"
#include "choir/experiment/oneshot_kpca/fusion.h"

namespace choir {

struct RulePlace {
  std::string data;
  std::string setting;
};
void compare_rules(const FusionTask& task, const CentralTruth& truth, const RulePlace& place,
                   const std::vector<SendingRule>& rules, Measurements& seen);

struct RuleChart {
  std::string title;
  std::string x;
  std::string data;
  bool logarithmic_x = false;
};
LineChart rule_error_chart(const Measurements& seen, const std::vector<SendingRule>& rules,
                           const RuleChart& look);
LineChart rule_traffic_chart(const Measurements& seen, const std::vector<SendingRule>& rules,
                             const RuleChart& look);

// What a quantity is called for the data.
std::string of_data(const char* quantity, const std::string& data);

}  // namespace choir
