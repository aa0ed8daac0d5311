#include "choir/runtime/mpi/post_office.h"

#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"

namespace choir {
namespace {

constexpr Duration between_watches = std::chrono::milliseconds(10);
constexpr Duration between_watches_while_moving = std::chrono::microseconds(200);
constexpr Duration polled_recently = std::chrono::milliseconds(5);
// Before a job is ended around a caller that computes.
constexpr Duration busy_caller_grace = std::chrono::seconds(2);
// The same when the launcher has already asked all processes to end: it kills them a second later.
constexpr Duration last_grace = std::chrono::milliseconds(100);
// After it a rank no longer trusts that another one speaks.
constexpr Duration trust_in_speaker = std::chrono::seconds(4);
constexpr Duration farewell_time = std::chrono::seconds(1);
// For what others have said and has not been looked at.
constexpr Duration hearing = std::chrono::milliseconds(50);
constexpr int exit_code_peer_lost = 4;
// Nobody holds the mutex for longer than it takes to make room for so much, or for one piece.
constexpr std::size_t bytes_between_ticks = std::size_t{64} << 20;

}  // namespace

PostOffice::PostOffice(const MpiOptions& options)
    : options_(options), transport_(std::make_unique<Transport>(world_, options.piece_bytes)) {
  introduce();
  if (ranks() > 1 && world_.threads() != World::Threads::never) {
    thread_ = std::jthread([this](const std::stop_token& end) { watch(end); });
  }
}

void PostOffice::introduce() {
  struct Buffers {
    Introduction mine;
    std::vector<Introduction> all;
  };
  const auto buffers = std::make_shared<Buffers>();
  buffers->mine.process = this_process();
  buffers->mine.answers = world_.threads() == World::Threads::always ? 1 : 0;
  buffers->all.resize(static_cast<std::size_t>(ranks()));
  Ticket ticket;
  {
    const std::lock_guard lock(world_.mutex());
    ticket = world_.all_gather(&buffers->mine, sizeof buffers->mine, buffers->all.data());
  }
  // Nobody is known yet who could be watched; the launcher ends the job if a rank dies now.
  for (Backoff backoff(true); true; backoff.pause()) {
    const std::lock_guard lock(world_.mutex());
    if (world_.done(ticket)) break;
  }
  const auto here = std::count_if(buffers->all.begin(), buffers->all.end(), [&](const Introduction& other) {
    return same_machine(buffers->mine.process, other.process);
  });
  crowded_ = here > static_cast<std::ptrdiff_t>(std::thread::hardware_concurrency());
  liveness_ = std::make_unique<Liveness>(world_, std::move(buffers->all), options_.silence);
}

PostOffice::~PostOffice() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  close();
}

// A rank that goes without a word would be taken for dead.
void PostOffice::close() try {
  if (is_broken()) return close_broken();
  {
    const std::lock_guard lock(world_.mutex());
    liveness_->say_farewell();
  }
  // To finalise MPI is to wait for the others, deaf; so they are waited for here. And who is inside when
  // others end without it can bring Open MPI 4.1's launcher, which counts the ranks that wait, to lock itself
  // up.
  const bool patient = world_.ends_mpi();
  for (Backoff backoff(true); patient || backoff.waited() < farewell_time; backoff.pause()) {
    const std::lock_guard lock(world_.mutex());
    progress(steady_now());
    if (liveness_->is_alone()) return;
    if (liveness_->loss()) break;
  }
  if (is_broken()) return close_broken();
  world_.keep();
} catch (const std::exception&) {
  world_.give_up();
}

// MPI may still use what it was given, and nobody can tell it to stop.
void PostOffice::close_broken() {
  world_.give_up();
  new std::vector(std::move(pending_));
  transport_.release();
  liveness_.release();
}

PostOffice::Visit::Visit(PostOffice& office, std::stop_token stop) : office_(office) {
  const std::lock_guard lock(office_.world_.mutex());
  office_.inside_ = true;
  office_.stop_ = std::move(stop);
  office_.last_poll_ = steady_now();
}

PostOffice::Visit::~Visit() {
  const std::lock_guard lock(office_.world_.mutex());
  office_.inside_ = false;
  office_.stop_ = {};
}

bool PostOffice::is_speaker() const {
  const std::lock_guard lock(world_.mutex());
  return liveness_->is_speaker();
}

bool PostOffice::is_broken() const {
  const std::lock_guard lock(world_.mutex());
  return liveness_->loss().has_value();
}

void PostOffice::set_placement(const Placement& placement) {
  const std::lock_guard lock(world_.mutex());
  liveness_->set_placement(placement);
}

// With the mutex held, as what follows.
bool PostOffice::accept_all(Time now) {
  std::size_t bytes = 0;
  bool any = false;
  while (bytes < bytes_between_ticks) {
    const auto arrival = world_.probe();
    if (!arrival) break;
    any = true;
    bytes += arrival->bytes;
    if (arrival->tag == Liveness::tag) {
      liveness_->accept(*arrival, now);
    } else {
      liveness_->heard(arrival->from, now);
      transport_->accept(*arrival);
    }
  }
  return any;
}

bool PostOffice::progress(Time now) {
  bool any = accept_all(now);
  any = transport_->progress() || any;
  moving_.store(transport_->is_moving(), std::memory_order_relaxed);
  liveness_->tick(now, inside_);
  if (stop_.stop_requested()) liveness_->look_at_all(now);
  if (liveness_->has_finding()) hear_the_others_out();
  return any;
}

// Whoever is found dead may have told why before. One look is not enough for what has come: MPI hands it over
// in portions, and may say that there is nothing in the very call that fetches the next one.
void PostOffice::hear_the_others_out() {
  const Time until = steady_now() + hearing;
  while (!liveness_->loss() && steady_now() < until) {
    if (!accept_all(steady_now())) std::this_thread::yield();
  }
  liveness_->confirm_finding();
}

// What goes wrong here cannot be made good: something is lost that others count on.
bool PostOffice::progress_or_declare(Time now) {
  try {
    return progress(now);
  } catch (const std::exception& trouble) {
    liveness_->find(-1, fmt::format("{} cannot continue: {}", liveness_->describe(rank()), trouble.what()),
                    now);
    liveness_->confirm_finding();
    return true;
  }
}

bool PostOffice::poll() {
  const Time now = steady_now();
  last_poll_.store(now, std::memory_order_relaxed);
  std::unique_lock lock(world_.mutex());
  const bool any = progress_or_declare(now);
  if (liveness_->loss()) {
    let_the_speaker_speak(lock);
    leave_broken();
  }
  return any;
}

// The launcher ends all processes as soon as one has ended badly: the others wait for who has something to
// say, unless the end has already begun.
void PostOffice::let_the_speaker_speak(std::unique_lock<std::mutex>& lock) {
  noticed_ = true;
  const Time until = steady_now() + busy_caller_grace + last_grace;
  while (!liveness_->is_speaker() && steady_now() < until && !stop_.stop_requested()) {
    progress_or_declare(steady_now());
    lock.unlock();
    std::this_thread::sleep_for(between_watches);
    lock.lock();
  }
}

void PostOffice::leave_broken() {
  noticed_ = true;
  throw Error(ErrorCategory::PeerLost, liveness_->loss()->sentence);
}

Duration PostOffice::longest_pause() const {
  return moving_.load(std::memory_order_relaxed) ? Backoff::shortest_sleep : Duration::max();
}

void PostOffice::send(int rank) {
  const std::lock_guard lock(world_.mutex());
  transport_->send(rank);
}

void PostOffice::send_all() {
  const std::lock_guard lock(world_.mutex());
  transport_->send_all();
}

std::optional<Parcel> PostOffice::take() {
  const std::lock_guard lock(world_.mutex());
  return transport_->take();
}

std::uint64_t PostOffice::parcels_sent() const {
  const std::lock_guard lock(world_.mutex());
  return transport_->sent();
}

std::uint64_t PostOffice::parcels_taken() const {
  const std::lock_guard lock(world_.mutex());
  return transport_->taken();
}

void PostOffice::set_waiting(std::uint64_t round, Time until) {
  const std::lock_guard lock(world_.mutex());
  liveness_->set_waiting(round, until);
}

void PostOffice::set_busy() {
  const std::lock_guard lock(world_.mutex());
  liveness_->set_busy();
}

bool PostOffice::is_to_blame(int rank, std::uint64_t round, Time since) {
  const std::lock_guard lock(world_.mutex());
  return liveness_->is_to_blame(rank, round, since, steady_now());
}

void PostOffice::declare_loss(int rank, const std::string& sentence) {
  const std::lock_guard lock(world_.mutex());
  liveness_->find(rank, sentence, steady_now());
  progress_or_declare(steady_now());
}

void PostOffice::watch(const std::stop_token& end) {
  while (!end.stop_requested()) {
    {
      std::unique_lock lock(sleep_mutex_);
      const bool moving = moving_.load(std::memory_order_relaxed);
      sleep_.wait_for(lock, end, moving ? between_watches_while_moving : between_watches,
                      [] { return false; });
    }
    if (steady_now() - last_poll_.load(std::memory_order_relaxed) < polled_recently) continue;
    watch_once();
  }
}

void PostOffice::watch_once() {
  std::unique_lock lock(world_.mutex());
  if (!inside_ && world_.threads() != World::Threads::always) return;
  // What the others' nodes wait for must not wait for a long step of one of ours.
  if (inside_) transport_->try_send_all();
  // While something moves it wants more than one look.
  for (int look = 0; progress_or_declare(steady_now()) && look < 100; ++look) {
    lock.unlock();
    lock.lock();
  }
  if (!should_abort(steady_now())) return;
  const std::string sentence = liveness_->loss()->sentence;
  lock.unlock();
  if (options_.last_words) options_.last_words(sentence);
  lock.lock();
  world_.abort(exit_code_peer_lost);
}

bool PostOffice::should_abort(Time now) const {
  const auto& loss = liveness_->loss();
  if (!loss || noticed_ || loss->rank == rank()) return false;
  const Duration known = now - loss->since;
  if (liveness_->is_speaker()) return known > (stop_.stop_requested() ? last_grace : busy_caller_grace);
  return known > busy_caller_grace + trust_in_speaker;
}

}  // namespace choir
