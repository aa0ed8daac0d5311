// Options that another option leaves nothing to decide: who gives them is told so.
//
//   refuse_unused(settings, {"schedule", "carry"}, "--privacy", "nothing is gossiped");
#pragma once

#include <initializer_list>

#include "choir/run/option.h"

namespace choir {

// Throws Error(InvalidArgument) for the first of these that was given.
void refuse_unused(const OptionTarget& settings, std::initializer_list<const char*> options,
                   const char* because_of, const char* why);

}  // namespace choir
