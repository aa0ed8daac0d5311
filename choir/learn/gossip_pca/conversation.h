// Questions of the root to all nodes and their answers along the tree: for nodes that may be missing. Nothing
// waits longer than a deadline, nothing throws because somebody is gone; who misses anybody refuses, and
// tells those beside it. Answers are added up under masks (hidden_sums.h).
//
//   Conversation talk(node, patience);
//   talk.tell_children(question);
//   const std::optional<Message> word = co_await hear(talk, child);         // nothing: the child is missing
#pragma once

#include <optional>
#include <utility>

#include "choir/learn/gossip_pca/refinement.h"
#include "choir/runtime/message.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::gossip_pca {

// What the first integer of a message says.
enum class Word : std::int64_t { multiply, sum_up, all_here, appraise, answer, refuse };

Word word_of(const Message& message);
Message spoken(Word word, Kind kind);  // a message that begins with it

// A node's side of it. Cheap to copy.
class Conversation {
 public:
  Conversation(Node& node, Patience patience);

  Node& node() const { return node_; }
  const TreePlace& tree() const { return node_.tree(); }
  bool is_root() const { return tree().parent == node_.id(); }
  bool is_brief() const { return patience_.brief; }
  // Somebody has heard of everybody: from now on the whole deadline counts.
  void everybody_is_here() { patience_.brief = false; }

  bool has_lost_any() const;  // a link that a sum before this one has dropped
  void tell_parent(Message message) const { tell(tree().parent, std::move(message)); }
  void tell_children(const Message& message) const;
  void refuse() const;  // to all beside it

  Channel channel() const { return channel_; }
  Deadline patience_with(NodeId other) const;

 private:
  void tell(NodeId to, Message message) const;

  Node& node_;
  Channel channel_;
  Patience patience_;
  Time begin_;
};

// Nothing: it refused, has ended, or did not speak in time.
Task<std::optional<Message>> hear(Conversation talk, NodeId from);

}  // namespace choir::gossip_pca
