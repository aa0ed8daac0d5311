#include "attack/rogue_server.h"

#include <optional>

#include "choir/learn/federation/masks.h"

namespace choir::testing_attack {

RogueServer::RogueServer(Node& node)
    : all(node.neighbors().begin(), node.neighbors().end()),
      node_(node),
      channel_(node.open_reliable_channel()) {}

void RogueServer::say(const std::vector<NodeId>& to, const Message& content, const Envelope& envelope) {
  for (const NodeId device : to) node_.send(device, sealed(content, envelope, channel_, number));
}

void RogueServer::ask(const Message& question, Envelope envelope) {
  ++number;
  envelope.question = number;
  envelope.devices = all;
  say(all, question, envelope);
}

Task<Replies> RogueServer::hear(std::vector<NodeId> from) {
  const Deadline soon = Deadline::after(std::chrono::seconds(1), node_.now());
  Replies heard;
  for (const NodeId device : from) {
    const std::optional<Received> mail = co_await node_.receive_from(device, channel_, soon);
    if (mail) heard.emplace(device, opened(mail->message));
  }
  co_return heard;
}

Words beside_each_other(const Replies& records, Index rows) {
  Words table(rows, std::ssize(records));
  Index column = 0;
  for (const auto& [device, letter] : records) table.col(column++) = table_of(letter.content, rows).col(0);
  return table;
}

Task<Words> RogueServer::hellos() {
  const Replies replies = co_await hear(all);
  co_return beside_each_other(replies, key_record + signature_words);
}

Task<void> RogueServer::open() {
  Words keys = co_await hellos();
  say(all, table_message(std::move(keys)), {.note = Note::directory});
  ask(Message(Kind::control), {.note = Note::count, .exponent = 1100});
  Replies counts = co_await hear(all);
  co_await total_of(std::move(counts), 1);
}

Task<Words> RogueServer::total_of(Replies answers, Index words) {
  Words sum = Words::Zero(words, 1);
  for (const auto& [device, letter] : answers)
    add_words(span_of(sum), span_of(letter.content.array(0).integers()));
  const std::vector<NodeId> answered = devices_of(answers);
  say(answered, Message(Kind::control), {.note = Note::survivors, .devices = answered});
  const Replies signatures = co_await hear(answered);
  say(answered, table_message(beside_each_other(signatures, survivors_record)), {.note = Note::unmask});
  const Replies seeds = co_await hear(answered);
  for (const auto& [device, letter] : seeds)
    remove_masks(span_of(sum), device, table_of(letter.content, key_record), {});
  co_return sum;
}

void RogueServer::close() { say(all, Message(Kind::control), {.note = Note::close}); }

}  // namespace choir::testing_attack
