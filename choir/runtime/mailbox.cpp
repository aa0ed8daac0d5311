#include "choir/runtime/mailbox.h"

#include <algorithm>

namespace choir {

Mailbox::Mailbox(Index neighbors)
    : live_(static_cast<std::int32_t>(neighbors)),
      slots_(2 * static_cast<std::size_t>(neighbors)),
      peers_(static_cast<std::size_t>(neighbors)) {}

void Mailbox::put(Index position, Message message) {
  if (message.channel() == exchange_channel) {
    put_round(position, std::move(message));
  } else {
    queue_.push_back({static_cast<std::int32_t>(position), std::move(message)});
  }
}

void Mailbox::put_round(Index position, Message message) {
  const std::uint64_t round = message.round();
  if (round < round_ || lost(position)) {
    ++stale_;
  } else if (round > round_ + 1) {
    ahead_.push_back({static_cast<std::int32_t>(position), std::move(message)});
  } else if (slot(position, round).filled_round == round + 1) {
    ++duplicates_;
  } else {
    slot(position, round) = {std::move(message), round + 1};
    ++present_[round & 1];
  }
}

void Mailbox::put(Index position, const Goodbye& goodbye) {
  Peer& peer = peers_[static_cast<std::size_t>(position)];
  peer.first_unsent_round = std::min(peer.first_unsent_round, goodbye.first_unsent_round);
  if (goodbye.ended && !peer.ended) goodbyes_.push_back(position);
  peer.ended = peer.ended || goodbye.ended;
  exceptions_ = true;
}

void Mailbox::mark_overdue(Index position) {
  peers_[static_cast<std::size_t>(position)].overdue = true;
  exceptions_ = true;
}

bool Mailbox::all_ended() const {
  return std::all_of(peers_.begin(), peers_.end(), [](const Peer& peer) { return peer.ended; });
}

bool Mailbox::round_complete() const {
  if (present_[round_ & 1] == live_) return true;
  if (!exceptions_) return false;
  for (Index position = 0; position < static_cast<Index>(peers_.size()); ++position) {
    if (!lost(position) && !has_round_of(position) && !will_not_send(position)) return false;
  }
  return true;
}

void Mailbox::drop(Index position) {
  for (const std::uint64_t round : {round_, round_ + 1}) {
    Slot& old = slot(position, round);
    if (old.filled_round == round + 1) --present_[round & 1];
    old = {};
  }
  peers_[static_cast<std::size_t>(position)].lost = true;
  --live_;
}

std::vector<Received> Mailbox::take_round(std::span<const NodeId> neighbors) {
  std::vector<Received> taken;
  taken.reserve(static_cast<std::size_t>(present_[round_ & 1]));
  for (std::size_t position = 0; position < peers_.size(); ++position) {
    Slot& filled = slot(static_cast<Index>(position), round_);
    if (filled.filled_round != round_ + 1) continue;
    taken.push_back({static_cast<Index>(position), neighbors[position], std::move(filled.message)});
    filled.filled_round = 0;
  }
  present_[round_ & 1] = 0;
  ++round_;
  if (!ahead_.empty()) {
    for (Mail& mail : std::exchange(ahead_, {})) put_round(mail.position, std::move(mail.message));
  }
  return taken;
}

std::size_t Mailbox::find(Channel channel, Index position) const {
  std::size_t i = queue_begin_;
  while (i < queue_.size() && !(queue_[i].message.channel() == channel &&
                                (position == anyone || queue_[i].position == position))) {
    ++i;
  }
  return i;
}

std::optional<Received> Mailbox::take_mail(Channel channel, Index position,
                                           std::span<const NodeId> neighbors) {
  const std::size_t i = find(channel, position);
  if (i == queue_.size()) return std::nullopt;
  const auto from = static_cast<std::size_t>(queue_[i].position);
  Received taken{queue_[i].position, neighbors[from], std::move(queue_[i].message)};
  if (i == queue_begin_) {
    // The usual case takes from the front; what was taken is given back once it is half of the queue.
    ++queue_begin_;
    if (2 * queue_begin_ >= queue_.size()) {
      queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(queue_begin_));
      queue_begin_ = 0;
    }
  } else {
    queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return taken;
}

}  // namespace choir
