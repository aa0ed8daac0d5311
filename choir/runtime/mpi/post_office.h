// One rank's communication: parcels, watching the other ranks, and things that all ranks do together. The
// caller's thread polls while it waits. While it computes, a thread of the office's keeps receiving, answers
// the other ranks, and ends the job if that is all that can be done.
//
//   PostOffice office(options);
//   PostOffice::Visit visit(office, stop);                  // the caller's thread is inside the engine
//   office.poll();                                          // throws Error(PeerLost) after a loss
//   const std::vector<ByteBuffer> all = office.gather(mine);
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "choir/runtime/message_codec.h"
#include "choir/runtime/mpi/backoff.h"
#include "choir/runtime/mpi/liveness.h"
#include "choir/runtime/mpi/mpi_engine.h"
#include "choir/runtime/mpi/transport.h"
#include "choir/runtime/mpi/world.h"

namespace choir {

class PostOffice {
 public:
  // All ranks together.
  explicit PostOffice(const MpiOptions& options);
  ~PostOffice();
  PostOffice(const PostOffice&) = delete;
  PostOffice& operator=(const PostOffice&) = delete;

  // While one exists the caller's thread is inside the engine. Visits do not nest.
  class Visit {
   public:
    Visit(PostOffice& office, std::stop_token stop);
    ~Visit();
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    PostOffice& office_;
  };

  int rank() const { return world_.rank(); }
  int ranks() const { return world_.ranks(); }
  bool is_crowded() const { return crowded_; }
  bool is_speaker() const;
  // A rank is lost: nothing can be done together any more.
  bool is_broken() const;
  const Introduction& introduction(int rank) const { return liveness_->introduction(rank); }
  void set_placement(const Placement& placement);

  // --- the caller's thread, during a visit ---
  // Sends and receives go on; returns whether anything happened. Throws Error(PeerLost) after a loss.
  bool poll();
  // See Transport.
  template <class Write>
  void collect(int rank, Write write) {
    if (transport_->collect(rank, write)) send(rank);
  }
  void send(int rank);
  void send_all();
  std::optional<Parcel> take();
  // How long to sleep at most between polls.
  Duration longest_pause() const;
  std::uint64_t parcels_sent() const;
  std::uint64_t parcels_taken() const;
  // See Liveness.
  void set_waiting(std::uint64_t round, Time until);
  void set_busy();
  bool is_to_blame(int rank, std::uint64_t round, Time since);
  void declare_loss(int rank, const std::string& sentence);

  // The bytes of all ranks, by rank.
  std::vector<ByteBuffer> gather(std::span<const std::byte> mine);
  void add_up(std::uint64_t* values, std::size_t count);
  // A sum that is ready when all ranks have begun it.
  class Sum {
   public:
    explicit Sum(std::size_t count) : mine(count), all(count) {}
    std::vector<std::uint64_t> mine;
    std::vector<std::uint64_t> all;
    Ticket ticket;
  };
  void begin(const std::shared_ptr<Sum>& sum);
  bool is_done(const std::shared_ptr<Sum>& sum);

 private:
  void introduce();
  bool accept_all(Time now);
  bool progress(Time now);
  void hear_the_others_out();
  bool progress_or_declare(Time now);
  template <class Begin>
  void together(const std::shared_ptr<void>& buffers, std::size_t bytes, Begin begin);
  void wait_for(Ticket ticket, Duration longest_pause);
  [[noreturn]] void leave_broken();
  void let_the_speaker_speak(std::unique_lock<std::mutex>& lock);
  void watch(const std::stop_token& end);
  void watch_once();
  bool should_abort(Time now) const;
  void close();
  void close_broken();

  const MpiOptions options_;
  World world_;
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<Liveness> liveness_;
  bool crowded_ = false;
  std::atomic<Time> last_poll_{};
  std::atomic<bool> moving_ = false;  // see Transport
  bool inside_ = false;               // the caller's thread is visiting
  bool noticed_ = false;              // the caller knows of the loss
  std::stop_token stop_;              // of the present visit
  // What MPI may still write into; kept for good after a loss.
  std::vector<std::shared_ptr<void>> pending_;
  std::mutex sleep_mutex_;
  std::condition_variable_any sleep_;
  std::jthread thread_;
};

}  // namespace choir
