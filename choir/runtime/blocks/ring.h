// Handing things round: all nodes in a ring, each giving what it holds to the next one. A tree's edges carry
// it, so the network need not have a ring: the nodes stand in the order in which a walk around the tree first
// meets them, and nodes on the way pass on.
//
//   Ring ring(node, Kind::control);
//   for (Index step = 1; step <= node.network_size(); ++step) {
//     mine = co_await ring.forward(mine);
//   }                                                    // everybody has its own again
//
// A step sends one message along each direction of each edge of the tree: 2 (J - 1). Every node is needed;
// one that is lost or ends early is Error(PeerLost) whatever the policy.
#pragma once

#include <vector>

#include "choir/runtime/blocks/signs_of_life.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

class Ring {
 public:
  // All nodes at the same time; `kind`: of all messages.
  Ring(Node& node, Kind kind);

  // All nodes take the same steps. What came from the previous node, or from the next.
  Task<Message> forward(Message mine) { return step(hops_, std::move(mine)); }
  Task<Message> backward(Message mine);
  // To be called now and then by who computes for long between two steps.
  void still_here() { give_signs_if_due(*node_, signs_); }

 private:
  Task<Message> step(std::vector<NodeId> hops, Message mine);

  Node* node_;
  std::vector<NodeId> hops_;  // neighbours in the tree in the order of the walk, which began at the parent
  Channel channel_;
  SignsOfLife signs_;
};

}  // namespace choir
