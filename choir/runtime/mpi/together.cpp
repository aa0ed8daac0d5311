// The things that all ranks do together, without blocking: a rank that dies meanwhile is noticed.
#include <algorithm>

#include "choir/runtime/mpi/post_office.h"
#include "choir/runtime/mpi/senders.h"

namespace choir {
namespace {

// What is larger moves by a little at each call of MPI's.
constexpr std::size_t small = 64 << 10;

}  // namespace

void PostOffice::wait_for(Ticket ticket, Duration longest_pause) {
  for (Backoff backoff(crowded_); true; backoff.pause(longest_pause)) {
    {
      const std::lock_guard lock(world_.mutex());
      if (world_.done(ticket)) return;
    }
    poll();
  }
}

// The buffers stay until MPI is done with them, or for ever if that never happens.
template <class Begin>
void PostOffice::together(const std::shared_ptr<void>& buffers, std::size_t bytes, Begin begin) {
  Ticket ticket;
  {
    const std::lock_guard lock(world_.mutex());
    pending_.push_back(buffers);
    ticket = begin();
  }
  wait_for(ticket, bytes > small ? Backoff::shortest_sleep : Duration::max());
  std::erase(pending_, buffers);
}

std::vector<ByteBuffer> PostOffice::gather(std::span<const std::byte> mine) {
  struct Buffers {
    std::uint64_t size;
    std::vector<std::uint64_t> sizes;
    std::vector<std::byte> mine;
    std::vector<std::byte> all;
    std::vector<int> slice_sizes;
    std::vector<int> places;
  };
  const auto all_ranks = static_cast<std::size_t>(ranks());
  const auto sizes = std::make_shared<Buffers>();
  sizes->size = mine.size();
  sizes->sizes.resize(all_ranks);
  together(sizes, sizeof sizes->size,
           [&] { return world_.all_gather(&sizes->size, sizeof sizes->size, sizes->sizes.data()); });

  for (int rank = 0; rank < ranks(); ++rank)
    require_believable(sizes->sizes[static_cast<std::size_t>(rank)], rank);
  // MPI counts in int: what is long goes in slices.
  const std::uint64_t slice = std::max<std::uint64_t>(options_.piece_bytes / all_ranks, 1);
  const std::uint64_t longest = *std::max_element(sizes->sizes.begin(), sizes->sizes.end());
  std::vector<ByteBuffer> parts(all_ranks);
  for (std::uint64_t at = 0; at < longest; at += slice) {
    const auto buffers = std::make_shared<Buffers>();
    int total = 0;
    for (const std::uint64_t size : sizes->sizes) {
      buffers->places.push_back(total);
      buffers->slice_sizes.push_back(static_cast<int>(size > at ? std::min(size - at, slice) : 0));
      total += buffers->slice_sizes.back();
    }
    const auto own = static_cast<std::size_t>(buffers->slice_sizes[static_cast<std::size_t>(rank())]);
    if (own > 0) {
      const std::span<const std::byte> part = mine.subspan(at, own);
      buffers->mine.assign(part.begin(), part.end());
    }
    buffers->all.resize(static_cast<std::size_t>(total));
    together(buffers, buffers->all.size(), [&] {
      return world_.all_gather(buffers->mine, buffers->all.data(), buffers->slice_sizes, buffers->places);
    });
    for (std::size_t other = 0; other < all_ranks; ++other) {
      const auto part = buffers->all.begin() + buffers->places[other];
      parts[other].insert(parts[other].end(), part, part + buffers->slice_sizes[other]);
    }
  }
  return parts;
}

void PostOffice::add_up(std::uint64_t* values, std::size_t count) {
  constexpr std::size_t most = 1 << 20;
  for (std::size_t at = 0; at < count; at += most) {
    const auto buffer =
        std::make_shared<std::vector<std::uint64_t>>(values + at, values + std::min(count, at + most));
    together(buffer, sizeof(std::uint64_t) * buffer->size(),
             [&] { return world_.all_sum(buffer->data(), buffer->size()); });
    std::copy(buffer->begin(), buffer->end(), values + at);
  }
}

void PostOffice::begin(const std::shared_ptr<Sum>& sum) {
  const std::lock_guard lock(world_.mutex());
  pending_.push_back(sum);
  sum->ticket = world_.all_sum(sum->mine.data(), sum->all.data(), sum->mine.size());
}

bool PostOffice::is_done(const std::shared_ptr<Sum>& sum) {
  const std::lock_guard lock(world_.mutex());
  if (!world_.done(sum->ticket)) return false;
  std::erase(pending_, std::shared_ptr<void>(sum));
  return true;
}

}  // namespace choir
