// The classes of a run: integers as they are, or words. The fit knows words by their places.
//
//   const ClassNames classes = class_names({"dog", "cat"});
//   classes.labels;                                           // 0, 1
//   classes.words;                                            // cat, dog
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "choir/data/target_rule.h"

namespace choir {

struct ClassNames {
  std::vector<std::int64_t> labels = {};  // ascending
  std::vector<std::string> words = {};    // one per label, ascending; empty: labels are their own names

  bool empty() const { return labels.empty(); }
  std::vector<std::string> texts() const;
  TargetRule rule() const;  // for the streams' targets
};

// In any order; each counts once. Integers if all of them are. Throws Error(InvalidArgument) for an empty
// word.
ClassNames class_names(std::vector<std::string> texts);

}  // namespace choir
