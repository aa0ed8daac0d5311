#include "choir/runtime/blocks/ring.h"

#include <utility>

#include "choir/base/error.h"

namespace choir {
namespace {

std::vector<NodeId> hops_of(const TreePlace& tree, NodeId node) {
  std::vector<NodeId> hops = tree.children;
  if (tree.parent != node) hops.push_back(tree.parent);
  return hops;
}

}  // namespace

Ring::Ring(Node& node, Kind kind)
    : node_(&node),
      hops_(hops_of(node.tree(), node.id())),
      channel_(node.open_reliable_channel()),
      signs_(node, Message(kind), channel_, hops_) {}

Task<Message> Ring::backward(Message mine) {
  return step(std::vector<NodeId>(hops_.rbegin(), hops_.rend()), std::move(mine));
}

// The walk leaves a node for its first hop, and comes back from each hop to leave for the next one. From the
// last hop comes what the previous node in the ring held.
Task<Message> Ring::step(std::vector<NodeId> hops, Message mine) {
  for (const NodeId hop : hops) {
    mine.on(channel_, content_mark);
    send_unless_lost(*node_, hop, mine);
    Heard heard = co_await hear_from(*node_, hop, channel_, signs_);
    if (heard.whereabouts != Whereabouts::here) {
      fail(ErrorCategory::PeerLost, "node {} waits for node {}, which {}; a ring needs every node",
           node_->id(), hop, heard.whereabouts == Whereabouts::ended ? "has ended" : "did not send in time");
    }
    mine = std::move(heard.message);
  }
  co_return mine;
}

}  // namespace choir
