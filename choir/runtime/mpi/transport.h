// Parcels between ranks: whole, in order, of any size. What goes to the same rank is collected and sent
// together; what MPI cannot count (2 GiB and more) goes in pieces.
//
//   transport.collect(3, [&](ByteBuffer& parcel) { append_message(parcel, link, message); });
//   transport.send_all();                                    // when there is nothing else to do
//   transport.progress();                                    // often: sends and receives go on
//   while (auto parcel = transport.take()) ...
//
// Guarded by World::mutex, but for collect, which guards itself: nodes write while another thread receives.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "choir/runtime/message_codec.h"
#include "choir/runtime/mpi/world.h"

namespace choir {

struct Parcel {
  int from = 0;
  std::shared_ptr<const ByteBuffer> bytes;
};

class Transport {
 public:
  // Tags below first_free_tag are the transport's.
  static constexpr int first_free_tag = 2;

  Transport(World& world, std::size_t piece_bytes);

  // Lets write(ByteBuffer&) append to what will go to that rank. Returns whether it should now be sent.
  template <class Write>
  bool collect(int rank, Write write) {
    const std::lock_guard lock(collect_mutex_);
    ByteBuffer& parcel = collected_[static_cast<std::size_t>(rank)];
    write(parcel);
    return parcel.size() >= full_bytes;
  }
  void send(int rank);
  void send_all();
  // The same for who must not wait: nothing happens while a node writes, which takes long for a large
  // message.
  void try_send_all();

  // Takes a message with one of the transport's tags.
  void accept(const ProbedMessage& arrival);
  // Returns whether anything was completed.
  bool progress();
  std::optional<Parcel> take();

  bool all_sent() const { return outgoing_.empty(); }
  // Something large is on its way: MPI moves it by a little at each call.
  bool is_moving() const { return !outgoing_.empty() || unfinished_ > 0; }
  std::uint64_t sent() const { return sent_; }    // parcels
  std::uint64_t taken() const { return taken_; }  // parcels

 private:
  static constexpr std::size_t full_bytes = 64 << 10;
  static constexpr int parcel_tag = 0;
  static constexpr int announcement_tag = 1;  // the size of a parcel that comes in pieces

  struct Outgoing {
    ByteBuffer bytes;
    std::uint64_t announced_size = 0;
    std::vector<Ticket> tickets;
  };
  struct Incoming {
    std::size_t size = 0;
    std::shared_ptr<ByteBuffer> bytes = std::make_shared<ByteBuffer>();  // received, or being received
    std::vector<Ticket> tickets = {};
    bool whole() const { return bytes->size() == size; }
  };
  ByteBuffer take_collected(int rank);
  void dispatch(int rank, ByteBuffer parcel);
  bool all_done(std::vector<Ticket>& tickets);
  void begin(Incoming& incoming, const ProbedMessage& arrival);
  bool deliver_from(std::size_t rank);

  World& world_;
  const std::size_t piece_bytes_;
  std::mutex collect_mutex_;
  std::vector<ByteBuffer> collected_;  // by rank
  std::deque<std::unique_ptr<Outgoing>> outgoing_;
  std::vector<std::deque<Incoming>> incoming_;  // by rank, in order
  std::size_t unfinished_ = 0;                  // of incoming_
  std::deque<Parcel> arrived_;
  std::uint64_t sent_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace choir
