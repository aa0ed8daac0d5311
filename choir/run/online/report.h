// What a run of online-kernel found, as a result holds and shows it.
//
//   describe_online(nodes, options, context.result);
//   context.result.text = online_words(context.result);
#pragma once

#include <string>
#include <vector>

#include "choir/learn/online_kernel/findings.h"
#include "choir/run/result.h"

namespace choir {

// From the findings of all nodes. `result` knows how many nodes there are. `class_names`: empty if the
// classes are their own names.
void describe_online(const std::vector<online_kernel::NodeFindings>& nodes,
                     const online_kernel::Options& options, Result& result,
                     const std::vector<std::string>& class_names = {});

// Quality if there was a test, the dictionaries, how much was learned from, and what left a node.
std::string online_words(const Result& result);

}  // namespace choir
