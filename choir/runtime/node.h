// What a program sees of the world: its own id, its neighbours, messages, time and random numbers.
//
//   Task<double> average(Node& node, double value) {
//     for (int round = 0; round < 50; ++round) {
//       Message mine(Kind::own_statistics);
//       mine.number(value);
//       const Inbox inbox = co_await node.exchange(mine, node.deadline());
//       for (const Received& other : inbox) value += 0.1 * (other.message.number(0) - value);
//     }
//     co_return value;
//   }
//
// A synchronous program uses exchange() alone and computes the same bits on every engine. An
// asynchronous one uses send(), receive() and sleep(). Both may be mixed: channels keep them apart.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <typeindex>
#include <vector>

#include "choir/base/deadline.h"
#include "choir/base/rng.h"
#include "choir/base/types.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/message.h"
#include "choir/runtime/task.h"

namespace choir {

class NodeCell;
struct Identity;

// A message and who sent it. The position is the sender's in neighbors().
struct Received {
  Index position = 0;
  NodeId from = 0;
  Message message;
};

// What one synchronous round brought: ascending by sender, one entry for every neighbour that is not lost.
using Inbox = std::vector<Received>;

// What one synchronous round sends: the same to all, or one message for each neighbour, by position.
class Outbox {
 public:
  Outbox(Message to_all) : messages_{std::move(to_all)}, same_(true) {}
  Outbox(std::vector<Message> by_position) : messages_(std::move(by_position)), same_(false) {}
  const Message& at(Index position) const {
    return messages_[same_ ? 0 : static_cast<std::size_t>(position)];
  }
  bool same_to_all() const { return same_; }
  Index size() const { return static_cast<Index>(messages_.size()); }

 private:
  std::vector<Message> messages_;
  bool same_;
};

// A node's place in the breadth-first tree that sums and broadcasts travel along.
struct TreePlace {
  NodeId root = 0;
  NodeId parent = 0;                  // the root's is itself
  std::vector<NodeId> children = {};  // ascending
  std::int32_t depth = 0;             // hops to the root
  std::int32_t height = 0;            // largest depth of any node; the diameter is at most twice this

  friend bool operator==(const TreePlace&, const TreePlace&) = default;
};

namespace detail {

// All of a node's awaitables are this: what is awaited was already written down in the cell, so that
// nothing with a destructor lives inside a co_await expression (see task.h).
class Wait {
 public:
  explicit Wait(NodeCell& cell) : cell_(&cell) {}
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> waiting) const {
    waiting.promise().trampoline->park(waiting);
  }

 protected:
  NodeCell* cell_;
};

}  // namespace detail

class [[nodiscard]] Exchange : public detail::Wait {
 public:
  using Wait::Wait;
  Inbox await_resume() const;  // throws Error(PeerLost) if a neighbour is lost and the policy is fail
};

class [[nodiscard]] Receive : public detail::Wait {
 public:
  using Wait::Wait;
  // Nothing: the deadline passed, or who was waited for has ended.
  std::optional<Received> await_resume() const;
};

class [[nodiscard]] Sleep : public detail::Wait {
 public:
  using Wait::Wait;
  void await_resume() const;
};

class Node {
 public:
  explicit Node(NodeCell& cell) : cell_(&cell) {}
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  NodeId id() const;
  Index network_size() const;                 // J
  std::span<const NodeId> neighbors() const;  // ascending, as the topology has them, lost ones included
  Index position_of(NodeId neighbor) const;   // throws Error(InvalidArgument) if it is not a neighbour
  bool lost(Index position) const;            // dropped, see LostPeers::proceed
  // Its program has ended, as far as was known when this node last waited. Not if it crashed.
  bool has_ended(Index position) const;
  LostPeers lost_peers() const;  // the run's policy, the same at all nodes
  // For programs that wait for a neighbour by receive_from(): what exchange() does by itself. Throws
  // Error(PeerLost) if the policy is fail; otherwise the neighbour is dropped, told so, and reported.
  void give_up_on(NodeId neighbor, std::string_view reason);
  const TreePlace& tree() const;  // rooted at node 0
  // The node's signing key and everybody's public keys (identity.h). Throws Error(InvalidArgument) unless the
  // contract declares masked words.
  Identity identity() const;
  // What a block keeps at this node from one call to the next, by its type; T() at first.
  template <class T>
  T& kept() {
    std::any& thing = keepsake(typeid(T));
    if (!thing.has_value()) thing = T();
    return *std::any_cast<T>(&thing);
  }

  // To a neighbour, on a channel of open_channel(); never blocks. Throws Error(InvalidArgument) for a kind
  // the contract does not name, and for the channel of exchange().
  void send(NodeId to, Message message);
  // A conversation of its own. Nodes that run the same program open the same channels in the same order.
  Channel open_channel();
  // The same for blocks that do not cope with lost messages, in a method that declared raw links.
  Channel open_reliable_channel();
  // The next message on a channel, from anyone or from one neighbour.
  Receive receive(Channel channel, Deadline deadline);
  Receive receive_from(NodeId neighbor, Channel channel, Deadline deadline);

  // One synchronous round: sends to every neighbour that is not lost, waits for all of their messages of
  // this round. They must be of the kind that was sent to them: programs that diverged are found here.
  Exchange exchange(const Outbox& outbox, Deadline deadline);
  std::uint64_t round() const;  // exchanges completed

  Sleep sleep(Duration duration);  // virtual time in the simulator
  Time now() const;
  Deadline deadline() const;  // now + the run's deadline
  Rng rng(Purpose purpose, std::uint64_t round) const;
  // For long computations: who follows them, whether the run was cancelled, and how many threads they may
  // use where no other node computes at the same time.
  const Watch& watch() const;
  std::stop_token stop_token() const;
  int threads() const;

 private:
  std::any& keepsake(std::type_index type);

  NodeCell* cell_;
};

// What runs on every node.
using Program = std::function<Task<void>(Node&)>;

}  // namespace choir
