// The engine's side of a node: its program's frames, its mailbox, and what it waits for.
//
// An engine drives a cell like this, the parts marked with a lock guarded against put() from other threads:
//
//   lock:   if (!cell.ready() || !cell.may_run()) { parked; come back after put() or expire(); }
//   lock:   cell.fetch();                      // mailbox -> what the program gets
//           cell.resume();                     // runs the program until it waits again or ends
//
// No coroutine handle ever leaves the cell, and a node is resumed by one thread at a time.
#pragma once

#include <any>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <typeindex>
#include <vector>

#include "choir/runtime/host.h"
#include "choir/runtime/mailbox.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

enum class WaitFor : std::uint8_t { start, round, message, time, nothing };

class NodeCell {
 public:
  NodeCell(NodeId id, RunContext& run);
  NodeCell(const NodeCell&) = delete;
  NodeCell& operator=(const NodeCell&) = delete;

  NodeId id() const { return id_; }
  Node& node() { return node_; }

  // --- for engines ---
  void start(const Program& program);
  bool ended() const { return ended_; }
  // What is awaited is there. Also tells the mailbox whom the program has given up since it last waited.
  bool ready();
  // After a failure elsewhere only synchronous nodes of no later round go on.
  bool may_run() const;
  void fetch();
  void resume();
  // The time at which expire() is due if the node is not ready before; Time::max(): never.
  Time due() const { return waiting_for_ == WaitFor::start ? Time::max() : deadline_.time(); }
  void expire() {
    expire_unless([](Index) { return false; });
  }
  // In a synchronous round only some neighbours may be overdue: others wait themselves, for somebody else.
  // The position of a neighbour that has not sent is asked about; if all are excused, nothing happens.
  template <class IsExcused>
  void expire_unless(IsExcused is_excused);
  // The wait is due at another time.
  void postpone(Time due) { deadline_ = Deadline::at(due); }
  // Ends the program where it stands; its frames are destroyed, nobody is told.
  void abandon();

  Mailbox& mailbox() { return mailbox_; }
  const Mailbox& mailbox() const { return mailbox_; }
  WaitFor waiting_for() const { return waiting_for_; }
  // It waits for certain neighbours: in a synchronous round, or for a message of one of them.
  bool waits_for_peers() const {
    return waiting_for_ == WaitFor::round || (waiting_for_ == WaitFor::message && source_ != Mailbox::anyone);
  }
  std::uint64_t round() const { return mailbox_.round(); }
  const std::vector<PeerLoss>& losses() const { return losses_; }
  // "waits for node 3 in round 12", for error messages.
  std::string describe_wait() const;

  // --- for Node ---
  RunContext& run() { return run_; }
  const RunContext& run() const { return run_; }
  std::span<const NodeId> neighbors() const { return run_.graph.neighbors(id_); }
  const TreePlace& tree();
  bool lost(Index position) const;
  bool has_ended(Index position) const { return ended_peers_[static_cast<std::size_t>(position)]; }
  void give_up_on(Index position, std::string_view reason);
  Channel open_channel() { return ++last_channel_; }
  std::map<std::type_index, std::any>& keepsakes() { return keepsakes_; }
  void send(Index position, Message message);
  void begin_exchange(const Outbox& outbox, Deadline deadline);
  void begin_receive(Channel channel, Index position, Deadline deadline);
  void begin_sleep(Time until);
  Inbox finish_exchange();
  std::optional<Received> finish_receive();

 private:
  void require_declared(Kind kind) const;
  void post(Index position, Message message);
  bool has_what_it_waits_for() const;
  void fetch_round();
  void lose(Index position, std::string_view reason);
  void note_losses();
  void tell_dropped(Index position);
  std::string loss_reason(Index position) const;
  void check_kinds();
  void finish();

  const NodeId id_;
  RunContext& run_;
  Node node_;
  Trampoline trampoline_;
  Task<void> program_;
  Mailbox mailbox_;
  std::unique_ptr<const TreePlace> tree_;  // once the program has asked for it
  std::map<std::type_index, std::any> keepsakes_;

  WaitFor waiting_for_ = WaitFor::nothing;
  bool expired_ = false;  // what is awaited is not a round
  bool ended_ = false;
  Channel channel_ = 0;  // of receive
  Channel last_channel_ = exchange_channel;
  Index source_ = Mailbox::anyone;
  Deadline deadline_ = Deadline::never();
  std::vector<Kind> sent_kinds_;  // of this round: one for all, or by position

  std::vector<bool> ended_peers_;  // as of the last fetch(): the mailbox itself may change at any time
  std::size_t goodbyes_read_ = 0;
  Inbox inbox_;
  std::optional<Received> mail_;
  std::vector<Index> given_up_;  // by the program; the mailbox learns it from ready()
  std::vector<Index> dropped_;   // they are told at the next resume: outside of any lock
  std::exception_ptr error_;     // thrown into the program by what it awaits
  std::vector<PeerLoss> losses_;
};

template <class IsExcused>
void NodeCell::expire_unless(IsExcused is_excused) {
  if (waiting_for_ != WaitFor::round) {
    expired_ = true;
    return;
  }
  for (Index position = 0; position < run_.graph.degree(id_); ++position) {
    const bool missing = !lost(position) && !mailbox_.has_round_of(position);
    if (missing && !mailbox_.will_not_send(position) && !is_excused(position))
      mailbox_.mark_overdue(position);
  }
}

}  // namespace choir
