#include "choir/runtime/blocks/signs_of_life.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace choir {
namespace {

constexpr std::uint64_t still_here_mark = 1;

Time half_a_deadline_from_now(const Node& node) {
  const Duration patience = node.deadline().time() - node.now();
  return node.now() + patience / 2;
}

}  // namespace

SignsOfLife::SignsOfLife(const Node& node, Message sign, Channel channel, std::vector<NodeId> receivers)
    : message(std::move(sign)), to(std::move(receivers)), next(half_a_deadline_from_now(node)) {
  message.on(channel, still_here_mark);
}

void send_unless_lost(Node& node, NodeId to, const Message& message) {
  if (!node.lost(node.position_of(to))) node.send(to, message);
}

void give_signs_if_due(Node& node, SignsOfLife& signs) {
  if (node.now() < signs.next) return;
  for (const NodeId other : signs.to) send_unless_lost(node, other, signs.message);
  signs.next = half_a_deadline_from_now(node);
}

Task<Heard> hear_from(Node& node, NodeId peer, Channel channel, SignsOfLife& signs) {
  Heard heard;
  Deadline patience = node.deadline();
  while (!patience.passed(node.now())) {
    const Deadline until = Deadline::at(std::min(patience.time(), signs.next));
    std::optional<Received> mail = co_await node.receive_from(peer, channel, until);
    if (mail && mail->message.round() == content_mark) {
      heard.message = std::move(mail->message);
      co_return heard;
    }
    if (!mail && !until.passed(node.now())) {
      heard.whereabouts = Whereabouts::ended;
      co_return heard;
    }
    if (mail) patience = node.deadline();
    give_signs_if_due(node, signs);
  }
  heard.whereabouts = Whereabouts::silent;
  co_return heard;
}

}  // namespace choir
