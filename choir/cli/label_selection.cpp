#include "choir/cli/label_selection.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/data/shards.h"

namespace choir::cli {
namespace {

std::vector<std::int64_t> parse_labels(const std::string& text) {
  std::vector<std::int64_t> labels;
  for (const std::string_view word : split(text, ',')) {
    const auto label = parse_integer(trim(word));
    if (!label)
      fail(ErrorCategory::InvalidArgument, "'{}' in --select-labels is not a label; write 0,3,5,8", word);
    labels.push_back(*label);
  }
  return labels;
}

}  // namespace

Dataset selected(Dataset dataset, const std::string& labels) {
  return labels.empty() ? dataset : select_labels(dataset, parse_labels(labels));
}

}  // namespace choir::cli
