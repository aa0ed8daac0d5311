// Numbers of many nodes in one result, the table that compares them with the central answer, and what was
// sent.
//
//   add_notes(node.at("notes"), result);
//   describe_yardsticks(yardsticks, result);
//   console.print(similarity_table(result, {{"oracle", "best of own"}}));
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "choir/learn/central/yardsticks.h"
#include "choir/linalg/types.h"
#include "choir/report/result.h"

namespace choir::cli {

using Json = nlohmann::ordered_json;

Json list_of(const Vector& values);
Vector vector_of(const Json& list);

// Of a number that every node has.
double largest(const std::vector<Json>& nodes, const char* key);
double total(const std::vector<Json>& nodes, const char* key);

// Each sentence once, however many nodes have it.
void add_notes(const std::vector<std::string>& notes, RunResult& result);
// The same for the `notes` of nodes that say what they found in their own numbers: one of the sentences is
// enough.
void add_similar_notes(const std::vector<Json>& nodes, RunResult& result);

void describe_yardsticks(const Yardsticks& yardsticks, RunResult& result);

// Eigenvalues and what they explain, a row a component.
std::string eigenvalue_table(const RunResult& result);

// A column of the table of similarities: a key of `quality`, and what people call it.
struct SimilarityColumn {
  std::string key;
  std::string title;
};
// Means over nodes, a row a component; columns that the result does not have are left out.
std::string similarity_table(const RunResult& result, const std::vector<SimilarityColumn>& columns);

// What left a node, by kind. What users ask about first is said even if there is none of it.
std::string sent_words(const RunResult& result);
// The same for some of the nodes: what they sent together, how many they are, and what one of them is called.
std::string sent_words(const std::map<std::string, KindCount>& by_kind, Index nodes, std::string_view name);

}  // namespace choir::cli
