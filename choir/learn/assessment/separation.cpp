#include "choir/learn/assessment/separation.h"

#include <algorithm>

#include <fmt/format.h>

namespace choir {

std::vector<ComponentGroup> component_groups(const Vector& variances, Index kept) {
  std::vector<ComponentGroup> groups;
  for (Index d = 0; d < variances.size(); ++d) {
    const bool separated = d == 0 || variances(d - 1) > separating_ratio * variances(d);
    if (separated && d >= kept) break;
    if (separated) groups.push_back({.first = d, .last = d});
    groups.back().last = d;
  }
  return groups;
}

std::vector<ComponentGroup> unseparated_groups(const Vector& variances, Index kept) {
  std::vector<ComponentGroup> groups = component_groups(variances, kept);
  std::erase_if(groups, [](const ComponentGroup& group) { return group.size() == 1; });
  return groups;
}

std::string words_of(const ComponentGroup& group, Index kept) {
  const Index first = group.first + 1;
  const Index last = std::min(group.last + 1, kept);
  if (group.last >= kept && first == last)
    return fmt::format("component {} is not separated from those that follow it", first);
  const char* beyond = group.last >= kept ? ", nor from those that follow them" : "";
  return fmt::format("components {} {} {} are not separated{}", first, last == first + 1 ? "and" : "to", last,
                     beyond);
}

}  // namespace choir
