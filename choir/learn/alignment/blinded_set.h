// The keys of a party as they travel from node to node: blinded points (crypto/blinding.h) in ascending
// order, so that their order says nothing. What a node needs to take a set on and, later, to undo its own
// reordering.
#pragma once

#include <vector>

#include "choir/crypto/blinding.h"
#include "choir/linalg/types.h"
#include "choir/runtime/message.h"

namespace choir {

struct BlindedSet {
  NodeId owner = 0;
  std::vector<Point> points = {};
};

// Sorts; the point that is now the i-th one was at result[i].
std::vector<Index> sort_points(std::vector<Point>& points);

Message to_message(const BlindedSet& set);
// Throws Error(BadData) unless the owner is one of the nodes and has as many points as it announced, all
// different and in order. `sizes`: by node.
BlindedSet to_blinded_set(const Message& message, const std::vector<Index>& sizes);

// Of two sets in order, as messages: for a fold along a tree. The owner is then nobody in particular.
Message common_points(const Message& mine, const Message& child);

// Which points of a set are everybody's, one mark for each, in the order that the set has where they are.
struct Marks {
  NodeId owner = 0;
  std::vector<bool> marked = {};
};

// `common`: what common_points() came to. Throws Error(BadData) if some of them are not in the set.
Marks marks_of(const BlindedSet& set, const Message& common);
// The same before the set was sorted.
Marks unsorted(const Marks& marks, const std::vector<Index>& places);

Message to_message(const Marks& marks);
// Throws Error(BadData) unless these are that many marks for that owner's set.
Marks to_marks(const Message& message, NodeId owner, Index size);

}  // namespace choir
