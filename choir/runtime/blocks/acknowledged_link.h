// Exactly-once delivery over links that lose, double and reorder: sequence numbers, acknowledgements,
// identical repetition, and a memory of what has arrived. A plain state machine for one neighbour: it
// neither sends nor waits; the coroutine that owns it does.
//
//   AcknowledgedSender out(resend_after);
//   node.send(peer, out.wrap(message, node.now()));       // adds the sequence number
//   for (const Message& again : out.overdue(node.now())) node.send(peer, again);
//   out.acknowledge(number);
//
//   AcknowledgedReceiver in;
//   if (in.is_new(number)) merge(message);                // acknowledge it in either case
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "choir/base/deadline.h"
#include "choir/runtime/message.h"

namespace choir {

class AcknowledgedSender {
 public:
  explicit AcknowledgedSender(Duration resend_after) : resend_after_(resend_after) {}

  // The message with its number as its round; kept until it is acknowledged.
  Message wrap(Message message, Time now);
  void acknowledge(std::uint64_t number);
  void acknowledge_below(std::uint64_t number);  // all of them, whatever became of their own acknowledgements
  // What was not acknowledged in time and is to be sent again now, oldest first. Waiting times double, up to
  // sixteen times the first; up to twice with a neighbour that answers promptly, where a message that is not
  // acknowledged was probably lost: half of all messages may be, and silence must not be taken for death.
  // Besides the oldest only messages that a later one has overtaken: the others need not be lost, and a
  // neighbour that is merely busy must not be buried under copies of what it has yet to read.
  std::vector<Message> overdue(Time now);
  // When overdue() will next return something; Time::max(): never.
  Time next_due() const;
  // Forgets what is not acknowledged and hands it back, oldest first: perhaps it arrived, perhaps not.
  std::vector<Message> abandon();
  // Everything below was acknowledged or abandoned: the neighbour need not wait for it, and must not add it
  // any more. 0: nothing was abandoned.
  std::uint64_t void_below() const { return void_below_; }
  bool all_acknowledged() const { return pending_.empty(); }
  bool only_control_is_pending() const;
  std::uint64_t sent() const { return next_; }  // messages so far: their numbers are below it

 private:
  struct Pending {
    Message message;
    Time due;
    Duration wait;
    bool sent_again = false;
  };
  bool presumed_lost(std::uint64_t number) const {
    return number < acknowledged_below_ || number == pending_.begin()->first;
  }

  Duration resend_after_;
  std::uint64_t next_ = 0;
  std::uint64_t void_below_ = 0;
  bool prompt_ = false;  // the neighbour: what came last was the answer to something sent once
  std::uint64_t acknowledged_below_ = 0;  // one above the latest acknowledged number
  std::map<std::uint64_t, Pending> pending_;
};

class AcknowledgedReceiver {
 public:
  // True the first time a number is seen. Memory stays small: everything below the first gap is one number.
  bool is_new(std::uint64_t number);
  // What is below and has not arrived is void: it is no news when it does.
  void skip_below(std::uint64_t number);
  bool has_all_below(std::uint64_t number) const { return all_below_ >= number; }
  std::uint64_t all_below() const { return all_below_; }  // the first number that is missing

 private:
  void close_gaps();

  std::uint64_t all_below_ = 0;
  std::set<std::uint64_t> above_;
};

}  // namespace choir
