// MPI, as far as choir needs it: nothing here blocks, and mpi.h stays behind it.
//
//   World world;                                           // initialises MPI if nobody has
//   Ticket ticket = world.send(1, 0, bytes.data(), bytes.size());
//   while (!world.done(ticket)) ...                        // until then the bytes belong to MPI
//
// Every call but rank() and ranks() wants mutex() held: MPI is entered by one thread at a time. Errors of MPI
// become Error(Unavailable).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace choir {

// Something that MPI is still doing.
struct Ticket {
  std::uint64_t handle = 0;
};

// A message that was announced and is taken by World::receive.
struct ProbedMessage {
  int from = 0;
  int tag = 0;
  std::size_t bytes = 0;
  std::uint64_t handle = 0;
};

class World {
 public:
  // When a second thread may call MPI.
  enum class Threads : std::uint8_t {
    never,         // the caller initialised MPI for one thread
    during_calls,  // only while the caller's thread is inside the engine: the caller may use MPI otherwise
    always,        // MPI is the engine's own, or made for many threads
  };

  // All ranks together. Throws Error(Unavailable) if MPI was already finalised.
  World();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  Threads threads() const;
  std::mutex& mutex() const;

  Ticket send(int to, int tag, const void* data, std::size_t bytes);
  std::optional<ProbedMessage> probe();
  Ticket receive(const ProbedMessage& arrival, void* data);
  // For messages of a few bytes, which arrive whole.
  void receive_now(const ProbedMessage& arrival, void* data);
  bool done(Ticket& ticket);

  // From every rank to every rank. Sizes and places in bytes, below 2 GiB.
  Ticket all_gather(const void* mine, std::size_t bytes, void* all);
  Ticket all_gather(std::span<const std::byte> mine, std::byte* all, std::span<const int> sizes,
                    std::span<const int> places);
  Ticket all_sum(const std::uint64_t* mine, std::uint64_t* sum, std::size_t count);
  // In place; at most 2^31 - 1 numbers.
  Ticket all_sum(std::uint64_t* values, std::size_t count);

  // The communicator is not freed: messages for it may still come, and must not meet another one's.
  void keep() { keep_ = true; }
  // A rank is gone: MPI must not be asked to wait for all of them again, not even to finalise.
  void give_up();
  // When this world goes, MPI is finalised: that waits for every rank.
  bool ends_mpi() const;
  // Ends the processes of all ranks.
  void abort(int code);

 private:
  class Library;  // MPI itself, shared by the worlds of a process
  struct Handle;  // the communicator

  std::shared_ptr<Library> library_;
  std::unique_ptr<Handle> communicator_;
  int rank_ = 0;
  int ranks_ = 1;
  bool keep_ = false;
};

}  // namespace choir
