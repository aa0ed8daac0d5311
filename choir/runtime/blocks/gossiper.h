// What a node does in gossip, as a state machine: it sends but never waits; the coroutine in
// gossip.cpp does.
//
//   Gossiper gossiper(node, value, options, node.open_channel());
//   while (!gossiper.may_leave()) {
//     const auto mail = co_await node.receive(channel, Deadline::at(gossiper.next_event()));
//     if (mail) gossiper.handle(*mail);
//     gossiper.advance(!mail);
//   }
#pragma once

#include <vector>

#include "choir/runtime/blocks/acknowledged_link.h"
#include "choir/runtime/blocks/gossip.h"
#include "choir/runtime/node.h"

namespace choir {

class Gossiper {
 public:
  Gossiper(Node& node, GossipValue& value, const GossipOptions& options, Channel channel);

  void handle(const Received& received);
  // Whatever is due by now. Ticks soon; repetitions and giving up only if no mail waits: the
  // acknowledgement that is missed may lie unread in the mailbox of a node that is slow itself.
  void advance(bool all_mail_read);
  Time next_event() const;  // later than now
  bool may_leave() const;
  GossipCounts counts() const;

 private:
  struct Peer {
    AcknowledgedSender out;
    AcknowledgedReceiver in;
    Time heard;                      // when any of its messages last came to be read
    Time asked = Time::max();        // since when it has been sent what it must answer, and was not heard
    Time settled = Time::max();      // since when both sides have said that they are done
    std::uint64_t promised = 0;      // messages it had sent when it last acknowledged one of ours
    std::uint64_t shares_below = 0;  // one above the number of its latest share
    bool used = false;               // something was sent, either way; or it must be closed in words anyhow
    bool done = false;               // it has nothing to send any more and all our acknowledgements
    bool told_done = false;          // we have said so to it
    bool gone = false;
    bool was_gone = false;
    bool came_back = false;  // was heard again after that
  };

  bool has_finished();
  void tick();
  std::vector<std::size_t> recipients() const;
  void send_share(std::size_t position, double share, std::int64_t why);
  void say_done(std::size_t position);
  bool nothing_is_pending() const;
  bool awaits_more(const Peer& peer) const;
  Duration silence_to_ask_after() const;
  void look_after(std::size_t position);
  bool take_back(Peer& peer);
  void go_on(Index ticks);
  void give_up_on(Peer& peer);
  void leave_alone(Peer& peer);
  void take_share(const Received& received);
  void handle_control(const Received& received);
  void acknowledge(const Received& received);
  bool is_repetition(const Received& received);
  bool closed(const Peer& peer) const;
  bool out_of_patience() const;
  void schedule_tick();
  NodeId id_of(std::size_t position) const { return node_.neighbors()[position]; }

  Node& node_;
  const GossipOptions options_;
  const Channel channel_;
  GossipValue& value_;
  GossipCounts counts_;
  std::vector<Peer> peers_;
  Index ticks_ = 0;        // in all
  Index last_ticks_ = 0;   // since the value changed by itself for the last time
  bool finished_ = false;  // no ticks any more, unless something comes back or the value is no longer settled
  Time finished_since_ = Time::max();
  int times_revived_ = 0;  // by shares that came back from a neighbour that was given up
  Time next_tick_;
  Time next_look_;   // at the neighbours: all at once, so that a message costs the same for any degree
  Time last_event_;  // a message came or went
};

}  // namespace choir
