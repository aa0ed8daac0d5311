// Brings the samples of all parties into one order, or checks that they are in one, before anything else is
// sent and without telling anybody who the samples are.
//
//   const std::vector<Index> rows = co_await common_rows(node, order.keys, 100'000);  // that all have
//   co_await require_same_order(node, order);         // throws at all parties if one order differs
//
// Keys travel as points that every party raises to a secret exponent of its own (crypto/blinding.h), so
// nobody can try names against them: neither who carries the messages nor a party. README.md says what
// remains possible.
#pragma once

#include <string>
#include <vector>

#include "choir/linalg/types.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

// The names of a party's samples in their order.
struct SampleOrder {
  std::vector<std::string> keys = {};  // T; empty: the user answers for the order
  Index samples = 0;                   // T

  static SampleOrder numbered(Index samples);  // rows of one file: 0, 1, ...
  static SampleOrder assumed(Index samples) { return {.keys = {}, .samples = samples}; }
  // What is known about the order: the keys, if there are any; else rows of one file are numbered, and the
  // user answers for the order of files of the parties' own.
  static SampleOrder known_from(std::vector<std::string> keys, Index samples, bool own_file);
};

// All nodes of the network call it. Throws Error(BadData) at all of them if numbers of samples or orders
// differ: it names the nodes that differ from node 0. Kinds: control, identifiers (if node 0 has keys).
Task<void> require_same_order(Node& node, SampleOrder order);

// Private set intersection: the rows of a party whose keys all parties have, in the order of these keys as
// text, which is the same at all parties. `max_keys`: that a party may bring; the same at all parties. All
// nodes call it. Throws Error(BadData) if a party brings more, or has a key twice (by row: the sentence
// reaches the other parties). Kinds: control, identifiers.
Task<std::vector<Index>> common_rows(Node& node, std::vector<std::string> keys, Index max_keys);

// Brings a party's samples (M_j x T_j) and their order into the order of the keys that all parties have.
// Returns its own samples that were left out, by their old place. All nodes call it. Throws as common_rows(),
// and Error(BadData) if no key is everybody's.
Task<std::vector<Index>> restore_order(Node& node, Samples& samples, SampleOrder& order, Index max_keys);

}  // namespace choir
