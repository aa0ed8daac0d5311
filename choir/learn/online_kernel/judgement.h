// Whether an answer is worth having, from sums that a whole network can form. Pure mathematics, whatever the
// functions are made of.
//
//   const std::vector<std::string> sentences = shortcomings(evidence, classes);   // empty: nothing to say
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "choir/linalg/types.h"

namespace choir::online_kernel {

// On samples that the answer had not learned from when it was asked.
struct Evidence {
  double loss = 0;           // any loss, summed or averaged
  double constant_loss = 0;  // the same of the best answer that does not look at the sample
  Vector seen = {};          // K: samples of each class; empty for values
  Vector taken = {};         // K: samples taken for each class
};

// A sentence for each: no better than the constant answer; a class that is never predicted. Little evidence
// says nothing.
std::vector<std::string> shortcomings(const Evidence& evidence, const std::vector<std::int64_t>& classes);

}  // namespace choir::online_kernel
