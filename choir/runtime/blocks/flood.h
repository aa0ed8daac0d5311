// One node's message to all others, along every link.
//
//   const Message settings = co_await flood(node, 0, node.id() == 0 ? mine : Message(Kind::control));
//
// Every node passes the first copy on to its other neighbours, so it arrives over the fastest way and
// survives any failure that leaves the network connected. 2 E - J + 1 messages.
#pragma once

#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

// `message` matters at the origin only. Throws Error(PeerLost) if nothing arrives before node.deadline().
Task<Message> flood(Node& node, NodeId origin, Message message);

}  // namespace choir
