// The parts that a run's summary for people is put together from.
//
//   result.text = component_table(result) + "\n\n" + sent_words(result) + "\n" + ending_words(result);
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "choir/learn/central/yardsticks.h"
#include "choir/run/result.h"

namespace choir {

// Eigenvalues and what they explain, a row per component; with the consensus gap where there is one.
std::string component_table(const Result& result);

// A column of the table of similarities: a key of `quality`, and what people call it.
struct SimilarityColumn {
  std::string key;
  std::string title;
};
// Means over nodes, a row per component; columns that the result does not have are left out.
std::string similarity_table(const Result& result, const std::vector<SimilarityColumn>& columns);

// What left a node, by kind. What users ask about first is said even if there is none of it.
std::string sent_words(const Result& result);
// The same for some of the nodes: what they sent together, how many they are, what one of them is called, and
// whether totals had noise (differential privacy).
std::string sent_words(const std::map<Kind, Traffic>& by_kind, Index nodes, std::string_view name,
                       bool noisy = false);

// "converged after 12 iterations", "60 iterations, a run of fixed length".
std::string ending_words(const Result& result);

// How far from its end a run stopped, by whatever its method stops by, and what to do.
std::string not_converged_words(const Result& result);

void describe_yardsticks(const Yardsticks& yardsticks, Result& result);

}  // namespace choir
