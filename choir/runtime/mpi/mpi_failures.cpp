// How a run on one rank notices that something is wrong, and tells the others.
#include <algorithm>
#include <iterator>
#include <new>
#include <span>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/runtime/mpi/mpi_run.h"

namespace choir {
namespace {

constexpr Duration between_looks_at_failures = std::chrono::milliseconds(100);
// For ranks that compute, before the job ends around them.
constexpr Duration failure_grace = std::chrono::seconds(2);

Failure failure_of_node(NodeId node, std::uint64_t round, const std::exception_ptr& thrown) {
  Failure failure{.scope = Failure::Scope::node, .round = round, .origin = node, .text = {}};
  std::string cause = "threw something that is not an exception";
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    failure.category = error.category();
    cause = error.what();
  } catch (const std::bad_alloc&) {
    failure.category = ErrorCategory::OutOfMemory;
    cause = "there was not enough memory";
  } catch (const std::exception& error) {
    cause = error.what();
  } catch (...) {
  }
  failure.text = fmt::format("node {}: {}", node, cause);
  return failure;
}

// The neighbour that a node waits for in its round.
NodeId first_missing(const NodeCell& waiting) {
  const std::span<const NodeId> neighbors = waiting.neighbors();
  const Mailbox& mailbox = waiting.mailbox();
  for (Index position = 0; position < std::ssize(neighbors); ++position) {
    if (mailbox.lost(position) || mailbox.has_round_of(position) || mailbox.will_not_send(position)) continue;
    return neighbors[static_cast<std::size_t>(position)];
  }
  throw Error(ErrorCategory::Internal, "a node waits in a round whose messages are all there");
}

}  // namespace

void MpiRun::broadcast(const Failure& failure) {
  for (int rank = 0; rank < office_.ranks(); ++rank) {
    if (rank == office_.rank()) continue;
    office_.collect(rank, [&](ByteBuffer& parcel) { append_failure(parcel, failure); });
  }
  office_.send_all();
}

// A program of this rank has thrown, and its failure counts more than what is known.
void MpiRun::share_new_failure() {
  const FailureLog& log = run_.failures;
  if (!log.any()) return;
  if (failure_ && failure_->round == log.round() && failure_->origin == log.node()) return;
  if (failure_ && failure_->scope == Failure::Scope::rank) return;
  const Failure failure = failure_of_node(log.node(), log.round(), log.error());
  note_failure(failure);
  broadcast(failure);
}

void MpiRun::note_failure(const Failure& failure) {
  if (failure_ && !failure.counts_more_than(*failure_)) return;
  if (!failure_) failure_known_ = steady_now();
  failure_ = failure;
  if (failure.scope != Failure::Scope::rank) {
    const Error error(failure.category, failure.text);
    run_.failures.add(failure.round, failure.origin, std::make_exception_ptr(error));
    return;
  }
  stopped_ = true;
  for (const auto& it : cells_) {
    if (it->ended()) continue;
    it->abandon();
    ++ended_;
  }
}

void MpiRun::stop_all(ErrorCategory category, const std::string& text) {
  const Failure failure{
      .scope = Failure::Scope::rank, .origin = office_.rank(), .category = category, .text = text};
  note_failure(failure);
  broadcast(failure);
  termination_.note_own_doing();
}

void MpiRun::look_around() {
  if (!stopped_ && run_.options.watch.stop.stop_requested()) {
    // The launcher asks all processes to end when one of them has died: poll finds it, and the user should
    // read about that one.
    office_.poll();
    stop_all(ErrorCategory::Cancelled, "stopped on request");
  }
  if (steady_now() < next_look_) return;
  next_look_ = steady_now() + between_looks_at_failures;
  if (stopped_) return;
  try {
    run_.options.watch.report("nodes", ended_, own_.size());
  } catch (const Error& error) {
    return stop_all(error.category(), error.what());
  } catch (const std::exception& error) {
    return stop_all(ErrorCategory::Internal, error.what());
  }
  if (!ready_.empty()) return;  // slow is not lost
  tell_what_is_waited_for();
  const Time time = now(0);
  const std::uint64_t overdue = lowest_round(time);
  if (overdue != Mailbox::never && expire_rounds(overdue, time)) termination_.note_own_doing();
  end_around_the_stuck();
}

// Of the nodes that wait in a round and whose deadline is not later.
std::uint64_t MpiRun::lowest_round(Time due_until) const {
  std::uint64_t lowest = Mailbox::never;
  for (const auto& it : cells_) {
    if (it->ended() || it->waiting_for() != WaitFor::round || !it->may_run()) continue;
    if (it->due() <= due_until) lowest = std::min(lowest, it->round());
  }
  return lowest;
}

// So that a rank whose nodes wait for ours knows whether to blame us or those that we wait for.
void MpiRun::tell_what_is_waited_for() {
  const std::uint64_t lowest = lowest_round(Time::max());
  if (lowest == Mailbox::never) return;
  Time due = Time::max();
  for (const auto& it : cells_) {
    if (!it->ended() && it->waiting_for() == WaitFor::round && it->round() == lowest)
      due = std::min(due, it->due());
  }
  office_.set_waiting(lowest, due == Time::max() ? due : begin_ + due.time_since_epoch());
  told_waiting_ = true;
}

// Among nodes whose round is overdue those of the lowest round come first: the others wait for them, directly
// or not. Returns whether anything was done.
bool MpiRun::expire_rounds(std::uint64_t round, Time now) {
  bool any = false;
  for (const auto& it : cells_) {
    if (it->ended() || it->waiting_for() != WaitFor::round || !it->may_run()) continue;
    if (it->round() != round || it->due() > now || it->ready()) continue;
    const NodeId missing = first_missing(*it);
    const int rank = placement_.rank_of(missing);
    const Time since = begin_ + it->due().time_since_epoch();
    if (now != Time::max() && !office_.is_to_blame(rank, round, since)) continue;
    any = true;
    if (run_.options.lost_peers == LostPeers::fail) {
      miss_deadline(*it, missing);
      return true;
    }
    it->expire();
    wake(it->id());
  }
  return any;
}

void MpiRun::miss_deadline(const NodeCell& waiting, NodeId missing) {
  const int rank = placement_.rank_of(missing);
  const Failure failure{
      .scope = Failure::Scope::overdue_node,
      .round = waiting.round(),
      .origin = waiting.id(),
      .blamed_rank = rank,
      .category = ErrorCategory::PeerLost,
      .text = fmt::format(
          "node {} on rank {} has missed its deadline: node {} on rank {} waits for it in round {}", missing,
          rank, waiting.id(), office_.rank(), waiting.round())};
  note_failure(failure);
  broadcast(failure);
}

// Whoever missed a deadline may compute for ever: the others do not wait for that.
void MpiRun::end_around_the_stuck() {
  if (!failure_ || failure_->scope != Failure::Scope::overdue_node) return;
  if (steady_now() - failure_known_ < failure_grace) return;
  const int stuck = failure_->blamed_rank == office_.rank() ? -1 : failure_->blamed_rank;
  office_.declare_loss(stuck, failure_->text);
}

}  // namespace choir
