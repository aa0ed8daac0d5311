#include "choir/runtime/mpi/transport.h"

#include <algorithm>
#include <utility>

#include "choir/base/error.h"
#include "choir/runtime/mpi/senders.h"

namespace choir {

Transport::Transport(World& world, std::size_t piece_bytes)
    : world_(world),
      piece_bytes_(piece_bytes),
      collected_(static_cast<std::size_t>(world.ranks())),
      incoming_(static_cast<std::size_t>(world.ranks())) {}

ByteBuffer Transport::take_collected(int rank) {
  const std::lock_guard lock(collect_mutex_);
  return std::exchange(collected_[static_cast<std::size_t>(rank)], {});
}

void Transport::dispatch(int rank, ByteBuffer parcel) {
  if (parcel.empty()) return;
  auto outgoing = std::make_unique<Outgoing>();
  outgoing->bytes = std::move(parcel);
  const ByteBuffer& bytes = outgoing->bytes;
  if (bytes.size() > piece_bytes_) {
    outgoing->announced_size = bytes.size();
    outgoing->tickets.push_back(
        world_.send(rank, announcement_tag, &outgoing->announced_size, sizeof outgoing->announced_size));
  }
  for (std::size_t at = 0; at < bytes.size(); at += piece_bytes_) {
    const std::size_t size = std::min(piece_bytes_, bytes.size() - at);
    outgoing->tickets.push_back(world_.send(rank, parcel_tag, bytes.data() + at, size));
  }
  ++sent_;
  if (!all_done(outgoing->tickets)) outgoing_.push_back(std::move(outgoing));
}

void Transport::send(int rank) { dispatch(rank, take_collected(rank)); }

void Transport::send_all() {
  for (int rank = 0; rank < world_.ranks(); ++rank) send(rank);
}

void Transport::try_send_all() {
  std::vector<ByteBuffer> parcels(collected_.size());
  {
    const std::unique_lock lock(collect_mutex_, std::try_to_lock);
    if (!lock) return;
    parcels.swap(collected_);
  }
  for (int rank = 0; rank < world_.ranks(); ++rank) {
    dispatch(rank, std::move(parcels[static_cast<std::size_t>(rank)]));
  }
}

bool Transport::all_done(std::vector<Ticket>& tickets) {
  while (!tickets.empty() && world_.done(tickets.back())) tickets.pop_back();
  return tickets.empty();
}

void Transport::accept(const ProbedMessage& arrival) {
  auto& queue = incoming_[static_cast<std::size_t>(arrival.from)];
  if (arrival.tag == announcement_tag) {
    std::uint64_t size = 0;
    if (arrival.bytes != sizeof size)
      fail(ErrorCategory::BadData, "rank {} sent a malformed announcement", arrival.from);
    world_.receive_now(arrival, &size);
    require_believable(size, arrival.from);
    if (!queue.empty() && !queue.back().whole())
      fail(ErrorCategory::BadData, "rank {} announced a parcel within another", arrival.from);
    queue.push_back({.size = size});
    // Set aside, not touched: what is announced and never comes takes no memory.
    queue.back().bytes->reserve(size);
    ++unfinished_;
    return;
  }
  if (queue.empty() || queue.back().whole()) {
    queue.push_back({.size = arrival.bytes});
    ++unfinished_;
  }
  begin(queue.back(), arrival);
  deliver_from(static_cast<std::size_t>(arrival.from));
}

// Memory is touched piece by piece: all of it at once would take longer than others wait for an answer.
void Transport::begin(Incoming& incoming, const ProbedMessage& arrival) {
  ByteBuffer& bytes = *incoming.bytes;
  const std::size_t begin = bytes.size();
  if (arrival.bytes > incoming.size - begin) {
    fail(ErrorCategory::BadData, "rank {} sent more than it announced", arrival.from);
  }
  bytes.resize(begin + arrival.bytes);
  incoming.tickets.push_back(world_.receive(arrival, bytes.data() + begin));
}

bool Transport::deliver_from(std::size_t rank) {
  auto& queue = incoming_[rank];
  bool any = false;
  while (!queue.empty() && queue.front().whole() && all_done(queue.front().tickets)) {
    arrived_.push_back({static_cast<int>(rank), std::move(queue.front().bytes)});
    queue.pop_front();
    --unfinished_;
    any = true;
  }
  return any;
}

bool Transport::progress() {
  const auto is_done = [this](const auto& outgoing) { return all_done(outgoing->tickets); };
  bool any = std::erase_if(outgoing_, is_done) > 0;
  if (unfinished_ == 0) return any;
  for (std::size_t rank = 0; rank < incoming_.size(); ++rank) any = deliver_from(rank) || any;
  return any;
}

std::optional<Parcel> Transport::take() {
  if (arrived_.empty()) return std::nullopt;
  Parcel parcel = std::move(arrived_.front());
  arrived_.pop_front();
  ++taken_;
  return parcel;
}

}  // namespace choir
