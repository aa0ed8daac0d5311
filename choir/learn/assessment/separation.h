// Which components are determined one by one, and which only as a group: directions whose variances are
// nearly equal may be rotated into each other without losing anything.
//
//   const Vector variances = Eigen::Vector4d(5, 2, 1.98, 1);                 // guard columns included
//   component_groups(variances, 3);                                          // {0, 0}, {1, 2}
#pragma once

#include <string>
#include <vector>

#include "choir/linalg/types.h"

namespace choir {

// Components first to last, counted from 0.
struct ComponentGroup {
  Index first = 0;
  Index last = 0;

  Index size() const { return last - first + 1; }
  bool operator==(const ComponentGroup&) const = default;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(first, last);
  }
};

// A variance that is this many times the next one is separated from it. Below, sampling alone rotates the
// two.
constexpr double separating_ratio = 1.05;

// The groups of the first `kept` of `variances` (descending; more of them show whether the last group goes on
// beyond those kept, and then its `last` lies beyond them too).
std::vector<ComponentGroup> component_groups(const Vector& variances, Index kept);

// Those of more than one component.
std::vector<ComponentGroup> unseparated_groups(const Vector& variances, Index kept);

// "components 8 and 9 are not separated", "components 3 to 5 are not separated"; a group that goes on beyond
// those kept: "component 10 is not separated from those that follow it".
std::string words_of(const ComponentGroup& group, Index kept);

}  // namespace choir
