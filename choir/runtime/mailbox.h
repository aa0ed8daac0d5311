// Where a node's messages wait for it. A plain data structure: the engine that owns the node guards it.
//
// Synchronous rounds have two slots per neighbour, by the round's parity: a neighbour can be at most one
// round ahead, for its next round needs our message of this one. (One that has dropped us may run further
// ahead; its messages wait in a list of their own.) Copies and stragglers are dropped and counted. Everything
// else queues in order of arrival.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "choir/base/types.h"
#include "choir/runtime/message.h"
#include "choir/runtime/node.h"

namespace choir {

// What a node that ends, or that drops a neighbour, tells its neighbours; not a message of the method.
struct Goodbye {
  std::uint64_t first_unsent_round = 0;
  bool ended = true;  // its program is over, no message of any kind will follow
};

class Mailbox {
 public:
  static constexpr Index anyone = -1;
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  explicit Mailbox(Index neighbors);

  // Messages of channel 0 go to their round, others queue.
  void put(Index position, Message message);
  void put(Index position, const Goodbye& goodbye);

  std::uint64_t round() const { return round_; }  // the one being collected
  bool lost(Index position) const { return peers_[static_cast<std::size_t>(position)].lost; }
  bool has_round_of(Index position) const { return slot(position, round_).filled_round == round_ + 1; }
  // The neighbour said that it will not send this round, or has taken too long.
  bool will_not_send(Index position) const {
    const Peer& peer = peers_[static_cast<std::size_t>(position)];
    return peer.overdue || peer.first_unsent_round <= round_;
  }
  // Nobody waits for this round of the neighbour any longer.
  void mark_overdue(Index position);
  bool overdue(Index position) const { return peers_[static_cast<std::size_t>(position)].overdue; }
  bool ended(Index position) const { return peers_[static_cast<std::size_t>(position)].ended; }
  bool all_ended() const;
  const std::vector<Index>& goodbyes() const { return goodbyes_; }  // who has ended, in order of arrival

  // Every neighbour that is not lost has sent this round, or said that it will not.
  bool round_complete() const;
  // From here on the neighbour is as if it had never been linked.
  void drop(Index position);
  // The messages of this round by position; the next round begins.
  std::vector<Received> take_round(std::span<const NodeId> neighbors);

  bool has_mail(Channel channel, Index position) const { return find(channel, position) != queue_.size(); }
  std::optional<Received> take_mail(Channel channel, Index position, std::span<const NodeId> neighbors);

  std::uint64_t stale() const { return stale_; }            // rounds long over, or from a lost neighbour
  std::uint64_t duplicates() const { return duplicates_; }  // rounds already there

 private:
  struct Slot {
    Message message{Kind::control};
    std::uint64_t filled_round = 0;  // round + 1; 0: empty
  };
  struct Peer {
    std::uint64_t first_unsent_round = never;
    bool lost = false;
    bool ended = false;
    bool overdue = false;
  };
  struct Mail {
    std::int32_t position;
    Message message;
  };
  Slot& slot(Index position, std::uint64_t round) {
    return slots_[2 * static_cast<std::size_t>(position) + (round & 1)];
  }
  const Slot& slot(Index position, std::uint64_t round) const {
    return slots_[2 * static_cast<std::size_t>(position) + (round & 1)];
  }
  void put_round(Index position, Message message);
  std::size_t find(Channel channel, Index position) const;

  std::uint64_t round_ = 0;
  std::uint64_t stale_ = 0;
  std::uint64_t duplicates_ = 0;
  std::int32_t live_;             // neighbours that are not lost
  std::int32_t present_[2] = {};  // filled slots of live neighbours, by parity
  bool exceptions_ = false;       // someone said one
  std::vector<Slot> slots_;       // 2 x neighbours
  std::vector<Peer> peers_;
  std::vector<Index> goodbyes_;
  std::vector<Mail> ahead_;  // rounds after the next
  std::vector<Mail> queue_;
  std::size_t queue_begin_ = 0;  // before it everything was taken
};

}  // namespace choir
