// Checks that all parties hold the same samples in the same order, before anything else is sent and without
// telling anybody who the samples are.
//
//   co_await require_same_order(node, order);         // throws at all parties if one order differs
//
// The parties agree on a secret that nobody on the way can read (crypto/sealed_box.h): every party publishes
// a fresh public key, the first draws the secret and seals it for each of the others. What travels then is a
// keyed hash of the order. A node in the middle of the network, or the centre, cannot try names against the
// hash, because it does not have the key unless it is a party itself; README.md says what remains possible.
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
// differ: it names the nodes that differ from node 0. Kinds: control.
Task<void> require_same_order(Node& node, SampleOrder order);

// For data with a key column: where each of `wanted` is in `keys`. Throws Error(BadData) naming `source` for
// keys that are there twice, and the first few that are missing.
std::vector<Index> positions_of(const std::vector<std::string>& wanted, const std::vector<std::string>& keys,
                                const std::string& source);

// The keys that all of the parties have, sorted: what they are restricted to, agreed without a centre's help.
// Sends keyed hashes of single keys, kind control; nobody learns a name it does not have itself.
Task<std::vector<std::string>> common_keys(Node& node, std::vector<std::string> keys);

// Brings a party's samples (M_j x T_j) and their order into the order of the keys that all parties have.
// Returns its own samples that were left out, by their old place. All nodes call it. Throws Error(BadData) if
// no key is everybody's. Kinds: control.
Task<std::vector<Index>> restore_order(Node& node, Samples& samples, SampleOrder& order);

}  // namespace choir
