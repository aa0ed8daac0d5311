#include "choir/runtime/blocks/flood.h"

#include <utility>

#include "choir/base/error.h"

namespace choir {

Task<Message> flood(Node& node, NodeId origin, Message message) {
  if (origin < 0 || origin >= node.network_size()) {
    fail(ErrorCategory::InvalidArgument, "a flood cannot begin at node {}; ids run from 0 to {}", origin,
         node.network_size() - 1);
  }
  const Channel channel = node.open_reliable_channel();
  NodeId source = node.id();
  if (node.id() != origin) {
    std::optional<Received> first = co_await node.receive(channel, node.deadline());
    if (!first) {
      fail(ErrorCategory::PeerLost,
           "node {} did not receive the message that node {} sends to all; that node or the nodes between "
           "them are gone",
           node.id(), origin);
    }
    source = first->from;
    message = std::move(first->message);
  }
  message.on(channel, 0);
  const std::span<const NodeId> neighbors = node.neighbors();
  for (std::size_t position = 0; position < neighbors.size(); ++position) {
    if (neighbors[position] == source || node.lost(static_cast<Index>(position))) continue;
    node.send(neighbors[position], message);
  }
  co_return message;
}

}  // namespace choir
