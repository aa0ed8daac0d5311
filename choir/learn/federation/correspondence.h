// The server's letters: numbered requests to devices, and the replies to the last of them.
//
//   post.begin_request();
//   post.send_to(devices, question, envelope);
//   const Replies replies = co_await post.replies(devices);     // all others were silent
//
// Replies to earlier requests are discarded. A device whose program has ended is gone: the server does not
// wait for it again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "choir/learn/federation/envelope.h"
#include "choir/learn/federation/federation.h"
#include "choir/runtime/identity.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

using Replies = std::map<NodeId, Letter>;

std::vector<NodeId> devices_of(const Replies& replies);
// Those of the first that are not among the second; ids ascend.
std::vector<NodeId> without(const std::vector<NodeId>& devices, const std::vector<NodeId>& some);

// Whether a run goes on without devices that are lost while a total is unmasked. The same at all nodes.
bool deals_shares(const FederationOptions& options, const Node& node);

class Correspondence {
 public:
  Correspondence(Node& node, const FederationOptions& options);

  const FederationOptions& options() const { return options_; }
  Identity identity() const { return node_.identity(); }
  bool has_shares() const { return deals_shares(options_, node_); }
  std::uint64_t number() const { return number_; }  // of the request; 0: devices speak first
  std::uint64_t begin_request() { return ++number_; }
  void send_to(const std::vector<NodeId>& devices, const Message& content, const Envelope& envelope);
  // Waits until all have replied or patience is over. Throws Error(PeerLost) if the run is to fail and one is
  // gone, or has missed the run's deadline where there is no patience.
  Task<Replies> replies(std::vector<NodeId> devices);
  // The same, for the reply of one to a certain request.
  Task<std::optional<Letter>> reply(NodeId device, std::uint64_t number, Deadline deadline);

  bool is_gone(NodeId device) const;
  std::vector<NodeId> present(const std::vector<NodeId>& devices) const;  // those who are not
  Deadline deadline() const;
  Deadline at_once() const { return Deadline::at(node_.now()); }

 private:
  void note_absence(NodeId device);

  Node& node_;
  FederationOptions options_;
  Channel channel_;
  std::uint64_t number_ = 0;
};

}  // namespace choir
