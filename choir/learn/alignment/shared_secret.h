// A secret that all nodes of a network share, and that nobody on the way between them can read.
//
//   const Secret secret = co_await shared_secret(node);          // hash_key_bytes
//
// Every node draws a key pair and tells node 0 its public key; node 0 draws the secret and seals it for each.
// 2 (J - 1) messages of kind control. A box takes 88 bytes, and all of them go to every node. Nothing of it
// depends on the run's seed.
#pragma once

#include "choir/crypto/secret.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

// Throws Error(PeerLost) at a node whose public key never reached node 0.
Task<Secret> shared_secret(Node& node);

}  // namespace choir
