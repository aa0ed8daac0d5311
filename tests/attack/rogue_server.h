// A server that speaks the protocol of learn/federation and keeps to none of its rules, against devices that
// are the program's own.
//
//   RogueServer rogue(node);
//   co_await rogue.open();                                    // keys, and an honest count
//   rogue.say(rogue.all, question, {.note = Note::question, ...});
//   const Replies answers = co_await rogue.hear(rogue.all);
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "choir/learn/federation/correspondence.h"
#include "choir/learn/federation/envelope.h"
#include "choir/runtime/blocks/secure_sum/words.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::testing_attack {

class RogueServer {
 public:
  explicit RogueServer(Node& node);

  // What devices say who they are: a column each, signed.
  Task<Words> hellos();
  Task<void> open();
  void tell(const Message& statement) { say(all, statement, {.note = Note::statement}); }
  // Asks `all` in a new attempt.
  void ask(const Message& question, Envelope envelope);
  void say(const std::vector<NodeId>& to, const Message& content, const Envelope& envelope);
  Task<Replies> hear(std::vector<NodeId> from);  // those that reply within a second
  // The total of the answers, honestly unmasked.
  Task<Words> total_of(Replies answers, Index words);
  void close();

  std::vector<NodeId> all;
  std::uint64_t number = 0;

 private:
  Node& node_;
  Channel channel_;
};

Words beside_each_other(const Replies& records, Index rows);

}  // namespace choir::testing_attack
