// What can be gossiped: anything that can be shared out and put together again without loss.
//
//   class Sum : public GossipValue {
//    public:
//     Message give(double share) override {
//       Message message(Kind::own_statistics);
//       message.number(share * sum_);
//       sum_ *= 1 - share;
//       return message;
//     }
//     void take(NodeId, const Message& share) override { sum_ += share.number(0); }
//
//    private:
//     double sum_ = 1;
//   };
//   Sum value;
//   const GossipCounts counts = co_await gossip(node, value, options);
//
// The laws: what give() packs and what stays add up to what was there; take() adds a share that a neighbour
// gave, or one of its own that comes back because nobody got it. Nothing else may change the value, except
// what it does by itself at next_change().
#pragma once

#include "choir/base/deadline.h"
#include "choir/base/types.h"
#include "choir/runtime/message.h"

namespace choir {

class GossipValue {
 public:
  virtual ~GossipValue() = default;

  // Packs `share` of it, 0 < share < 1, and keeps the rest. Any kind but control, at most five integers.
  virtual Message give(double share) = 0;
  // `from` is the node itself if a share comes back. Throws Error(BadData) for what cannot be added.
  virtual void take(NodeId from, const Message& share) = 0;
  // Whether there is anything worth sending.
  virtual bool can_give() const { return true; }
  // Whether more messages would not change it: the node stops to send its own.
  virtual bool is_settled() const { return false; }

  // When it will change by itself (new samples arrive); a node does not stop before. change() is called then
  // or later.
  virtual Time next_change() const { return Time::max(); }
  virtual void change(Time) {}
};

}  // namespace choir
