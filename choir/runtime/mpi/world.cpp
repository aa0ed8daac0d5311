#include "choir/runtime/mpi/world.h"

#include <atomic>
#include <cstring>
#include <thread>

#include <mpi.h>

#include "choir/base/error.h"

namespace choir {
namespace {

static_assert(sizeof(MPI_Request) <= sizeof(std::uint64_t) && sizeof(MPI_Message) <= sizeof(std::uint64_t));

void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  fail(ErrorCategory::Unavailable, "MPI could not {}: {}", what,
       std::string_view(text, static_cast<std::size_t>(length)));
}

template <class Handle>
std::uint64_t to_bits(Handle handle) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &handle, sizeof handle);
  return bits;
}

template <class Handle>
Handle from_bits(std::uint64_t bits) {
  Handle handle;
  std::memcpy(&handle, &bits, sizeof handle);
  return handle;
}

}  // namespace

class World::Library {
 public:
  static std::shared_ptr<Library> open();

  Library();
  ~Library();

  Threads threads = Threads::never;
  std::mutex mutex;
  std::atomic<bool> given_up = false;
  bool own = false;  // MPI was not there before
};

// One for all engines of the process, because MPI is; it can be initialised only once.
std::shared_ptr<World::Library> World::Library::open() {
  static std::mutex guard;
  static std::weak_ptr<Library> current;
  const std::lock_guard lock(guard);
  auto library = current.lock();
  if (!library) current = library = std::make_shared<Library>();
  return library;
}

World::Library::Library() {
  int flag = 0;
  MPI_Finalized(&flag);
  if (flag != 0) {
    throw Error(
        ErrorCategory::Unavailable,
        "MPI has been finalised and cannot be started again; keep one MpiEngine for the whole program, "
        "or call MPI_Init_thread yourself");
  }
  MPI_Initialized(&flag);
  int level = MPI_THREAD_SINGLE;
  if (flag != 0) {
    check(MPI_Query_thread(&level), "report its thread support");
    if (level >= MPI_THREAD_MULTIPLE) {
      threads = Threads::always;
    } else if (level >= MPI_THREAD_SERIALIZED) {
      threads = Threads::during_calls;
    }
  } else {
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level), "start");
    own = true;
    if (level >= MPI_THREAD_SERIALIZED) threads = Threads::always;
  }
}

World::Library::~Library() {
  int finalised = 0;
  MPI_Finalized(&finalised);
  if (own && !given_up && finalised == 0) MPI_Finalize();
}

struct World::Handle {
  MPI_Comm value = MPI_COMM_NULL;
};

World::World() : library_(Library::open()), communicator_(std::make_unique<Handle>()) {
  Ticket ticket;
  {
    const std::lock_guard lock(mutex());
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Comm_idup(MPI_COMM_WORLD, &communicator_->value, &request), "duplicate its communicator");
    ticket.handle = to_bits(request);
  }
  while (true) {
    {
      const std::lock_guard lock(mutex());
      if (done(ticket)) break;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  check(MPI_Comm_set_errhandler(communicator_->value, MPI_ERRORS_RETURN), "set its error handler");
  check(MPI_Comm_rank(communicator_->value, &rank_), "tell the rank");
  check(MPI_Comm_size(communicator_->value, &ranks_), "count the ranks");
}

World::~World() {
  int finalised = 0;
  MPI_Finalized(&finalised);
  const std::lock_guard lock(mutex());
  if (!keep_ && finalised == 0) MPI_Comm_free(&communicator_->value);
}

World::Threads World::threads() const { return library_->threads; }
std::mutex& World::mutex() const { return library_->mutex; }

Ticket World::send(int to, int tag, const void* data, std::size_t bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, to, tag, communicator_->value, &request), "send");
  return {to_bits(request)};
}

std::optional<ProbedMessage> World::probe() {
  int flag = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  check(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator_->value, &flag, &message, &status),
        "look for messages");
  if (flag == 0) return std::nullopt;
  int bytes = 0;
  check(MPI_Get_count(&status, MPI_BYTE, &bytes), "measure a message");
  return ProbedMessage{status.MPI_SOURCE, status.MPI_TAG, static_cast<std::size_t>(bytes), to_bits(message)};
}

Ticket World::receive(const ProbedMessage& arrival, void* data) {
  auto message = from_bits<MPI_Message>(arrival.handle);
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Imrecv(data, static_cast<int>(arrival.bytes), MPI_BYTE, &message, &request), "receive");
  return {to_bits(request)};
}

void World::receive_now(const ProbedMessage& arrival, void* data) {
  auto message = from_bits<MPI_Message>(arrival.handle);
  check(MPI_Mrecv(data, static_cast<int>(arrival.bytes), MPI_BYTE, &message, MPI_STATUS_IGNORE), "receive");
}

bool World::done(Ticket& ticket) {
  auto request = from_bits<MPI_Request>(ticket.handle);
  int flag = 0;
  check(MPI_Test(&request, &flag, MPI_STATUS_IGNORE), "complete what it began");
  ticket.handle = to_bits(request);
  return flag != 0;
}

Ticket World::all_gather(const void* mine, std::size_t bytes, void* all) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int count = static_cast<int>(bytes);
  check(MPI_Iallgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, communicator_->value, &request),
        "gather");
  return {to_bits(request)};
}

Ticket World::all_gather(std::span<const std::byte> mine, std::byte* all, std::span<const int> sizes,
                         std::span<const int> places) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Iallgatherv(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, all, sizes.data(),
                        places.data(), MPI_BYTE, communicator_->value, &request),
        "gather");
  return {to_bits(request)};
}

Ticket World::all_sum(const std::uint64_t* mine, std::uint64_t* sum, std::size_t count) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Iallreduce(mine, sum, static_cast<int>(count), MPI_UINT64_T, MPI_SUM, communicator_->value,
                       &request),
        "add up");
  return {to_bits(request)};
}

Ticket World::all_sum(std::uint64_t* values, std::size_t count) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Iallreduce(MPI_IN_PLACE, values, static_cast<int>(count), MPI_UINT64_T, MPI_SUM,
                       communicator_->value, &request),
        "add up");
  return {to_bits(request)};
}

void World::give_up() {
  keep_ = true;
  library_->given_up = true;
}

bool World::ends_mpi() const { return library_->own && library_.use_count() == 1; }

void World::abort(int code) { MPI_Abort(communicator_->value, code); }

}  // namespace choir
