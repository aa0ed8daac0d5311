#include "choir/learn/gossip_pca/conversation.h"

#include <algorithm>
#include <chrono>

namespace choir::gossip_pca {
namespace {

constexpr Duration last_chance =
    std::chrono::seconds(10);  // for who seemed dead, and for everybody's first sums
// A parent has to wait for others before it can speak. It may not be much longer: nodes whose parent is gone
// should come to the gossip while the others are in the middle of it.
constexpr Duration longer_for_parents = std::chrono::milliseconds(300);

}  // namespace

Word word_of(const Message& message) { return static_cast<Word>(message.integer(0)); }

Message spoken(Word word, Kind kind) {
  Message message(kind);
  message.integer(static_cast<std::int64_t>(word));
  return message;
}

Conversation::Conversation(Node& node, Patience patience)
    : node_(node),
      channel_(node.open_reliable_channel()),
      patience_(std::move(patience)),
      begin_(node.now()) {}

Deadline Conversation::patience_with(NodeId other) const {
  const Deadline whole = node_.deadline();
  if (patience_.brief) {
    const Duration longer = other == tree().parent ? longer_for_parents : Duration(0);
    return Deadline::at(std::min(whole.time(), begin_ + last_chance + longer));
  }
  const bool doubtful = std::ranges::find(patience_.silent, other) != patience_.silent.end();
  return doubtful ? Deadline::at(std::min(whole.time(), node_.now() + last_chance)) : whole;
}

bool Conversation::has_lost_any() const {
  const auto lost = [this](NodeId other) { return node_.lost(node_.position_of(other)); };
  return std::ranges::any_of(tree().children, lost) || (!is_root() && lost(tree().parent));
}

void Conversation::tell(NodeId to, Message message) const {
  message.on(channel_, 0);
  if (!node_.lost(node_.position_of(to))) node_.send(to, std::move(message));
}

void Conversation::tell_children(const Message& message) const {
  for (const NodeId child : tree().children) tell(child, message);
}

void Conversation::refuse() const {
  const Message refusal = spoken(Word::refuse, Kind::control);
  if (!is_root()) tell_parent(refusal);
  tell_children(refusal);
}

Task<std::optional<Message>> hear(Conversation talk, NodeId from) {
  const Deadline deadline = talk.patience_with(from);
  std::optional<Received> mail = co_await talk.node().receive_from(from, talk.channel(), deadline);
  if (!mail || word_of(mail->message) == Word::refuse) co_return std::nullopt;
  co_return std::move(mail->message);
}

}  // namespace choir::gossip_pca
