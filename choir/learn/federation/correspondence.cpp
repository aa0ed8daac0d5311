#include "choir/learn/federation/correspondence.h"

#include <algorithm>
#include <utility>

namespace choir {

std::vector<NodeId> devices_of(const Replies& replies) {
  std::vector<NodeId> devices;
  for (const auto& [device, letter] : replies) devices.push_back(device);
  return devices;
}

std::vector<NodeId> without(const std::vector<NodeId>& devices, const std::vector<NodeId>& some) {
  std::vector<NodeId> left;
  std::ranges::set_difference(devices, some, std::back_inserter(left));
  return left;
}

bool deals_shares(const FederationOptions& options, const Node& node) {
  return options.masked && (options.patience || node.lost_peers() == LostPeers::proceed);
}

Correspondence::Correspondence(Node& node, const FederationOptions& options)
    : node_(node), options_(options), channel_(node.open_reliable_channel()) {}

void Correspondence::send_to(const std::vector<NodeId>& devices, const Message& content,
                             const Envelope& envelope) {
  const Message letter = sealed(content, envelope, channel_, number_);
  for (const NodeId device : present(devices)) node_.send(device, letter);
}

// One after the other, until the same time: what came meanwhile waits in the mailbox, and a device that
// computes in this process is slow, not lost.
Task<Replies> Correspondence::replies(std::vector<NodeId> devices) {
  const Deadline until = deadline();
  Replies all;
  for (const NodeId device : devices) {
    std::optional<Letter> letter = co_await reply(device, number_, until);
    if (letter) all.emplace(device, std::move(*letter));
  }
  co_return all;
}

Task<std::optional<Letter>> Correspondence::reply(NodeId device, std::uint64_t number, Deadline deadline) {
  std::optional<Letter> letter;
  while (!letter && !is_gone(device)) {
    const std::optional<Received> mail = co_await node_.receive_from(device, channel_, deadline);
    if (!mail) {
      note_absence(device);
      break;
    }
    if (mail->message.round() == number) letter = opened(mail->message);
  }
  co_return letter;
}

void Correspondence::note_absence(NodeId device) {
  if (node_.has_ended(node_.position_of(device))) {
    node_.give_up_on(device, "has ended before the server closed");
  } else if (!options_.patience && node_.lost_peers() == LostPeers::fail) {
    node_.give_up_on(device, "did not answer the server before the run's deadline");
  }
}

bool Correspondence::is_gone(NodeId device) const { return node_.lost(node_.position_of(device)); }

std::vector<NodeId> Correspondence::present(const std::vector<NodeId>& devices) const {
  std::vector<NodeId> all;
  std::ranges::copy_if(devices, std::back_inserter(all), [this](NodeId device) { return !is_gone(device); });
  return all;
}

Deadline Correspondence::deadline() const {
  return options_.patience ? Deadline::after(*options_.patience, node_.now()) : node_.deadline();
}

}  // namespace choir
