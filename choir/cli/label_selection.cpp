#include "choir/cli/label_selection.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/data/shards.h"

namespace choir::cli {

std::vector<std::int64_t> parse_labels(const char* option, const std::string& text) {
  std::vector<std::int64_t> labels;
  for (const std::string_view word : split(text, ',')) {
    const auto label = parse_integer(trim(word));
    if (!label)
      fail(ErrorCategory::InvalidArgument, "'{}' in {} is not a label; write 0,3,5,8", word, option);
    labels.push_back(*label);
  }
  return labels;
}

Dataset selected(Dataset dataset, const std::string& labels) {
  return labels.empty() ? dataset : select_labels(dataset, parse_labels("--select-labels", labels));
}

}  // namespace choir::cli
