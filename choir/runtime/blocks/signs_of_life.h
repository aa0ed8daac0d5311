// Waiting for one neighbour while others wait for oneself: what keeps the patience of those who wait for a
// node that waits in turn, or that computes for long.
//
//   SignsOfLife signs(node, Message(Kind::control), channel, {parent});
//   const Heard heard = co_await hear_from(node, child, channel, signs);
//
// A node that has to wait says so to those who wait for it, twice a deadline, so that only the neighbours of
// a node that is gone miss it: along a tree one silent leaf would otherwise look like a silent branch to
// everybody above it. A run without losses sends none of these. Contents and signs share a channel; the round
// of a message tells them apart.
#pragma once

#include <cstdint>
#include <vector>

#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

inline constexpr std::uint64_t content_mark = 0;  // the round of a message that is no sign of life

struct SignsOfLife {
  // `message`: empty, of the kind that the conversation has.
  SignsOfLife(const Node& node, Message message, Channel channel, std::vector<NodeId> to);

  Message message;
  std::vector<NodeId> to;
  Time next;
};

void give_signs_if_due(Node& node, SignsOfLife& signs);
void send_unless_lost(Node& node, NodeId to, const Message& message);

enum class Whereabouts { here, ended, silent };

struct Heard {
  Whereabouts whereabouts = Whereabouts::here;
  Message message{Kind::control};
};

// Waits for one neighbour's content. Its signs of life renew the patience with it; they do not put off the
// ones that this node gives.
Task<Heard> hear_from(Node& node, NodeId peer, Channel channel, SignsOfLife& signs);

}  // namespace choir
