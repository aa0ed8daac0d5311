#include "choir/runtime/mpi/mpi_run.h"

#include <algorithm>
#include <utility>

#include "choir/base/error.h"
#include "choir/runtime/mpi/senders.h"

namespace choir {
namespace {

constexpr Duration between_polls = std::chrono::milliseconds(1);
// A rank that waits for messages says so only after a while; they usually come.
constexpr Duration idle_for_good = std::chrono::milliseconds(20);

}  // namespace

MpiRun::MpiRun(const Graph& graph, const Contract& contract, const RunOptions& options, PostOffice& office)
    : office_(office),
      placement_(graph.nodes(), office.ranks()),
      own_(placement_.block(office.rank())),
      run_(graph, contract, options, *this),
      queued_(static_cast<std::size_t>(own_.size()), false),
      backoff_(office.is_crowded()),
      termination_(office) {
  run_.identities = Identities::for_run(contract, own_.first, own_.last, graph.nodes());
  cells_.reserve(queued_.size());
  for (NodeId node = own_.first; node < own_.last; ++node) {
    cells_.push_back(std::make_unique<NodeCell>(node, run_));
  }
}

void MpiRun::exchange_identities() {
  if (!run_.identities.exist()) return;
  const std::vector<ByteBuffer> published = office_.gather(run_.identities.published());
  for (int rank = 0; rank < office_.ranks(); ++rank) {
    const NodeRange block = placement_.block(rank);
    const ByteBuffer& keys = published[static_cast<std::size_t>(rank)];
    if (keys.size() != static_cast<std::size_t>(block.size()) * sizeof(IdentityKey)) {
      fail(ErrorCategory::PeerLost,
           "rank {} published {} bytes as the public keys of {}; look at what runs there", rank, keys.size(),
           placement_.describe_block(rank));
    }
    run_.identities.learn(block.first, keys);
  }
}

template <class What>
void MpiRun::deliver(const Link& link, What&& what) {
  cell(link.to).mailbox().put(link.position_at_receiver, std::forward<What>(what));
  wake(link.to);
}

void MpiRun::post(const Link& link, Message message) {
  if (own_.has(link.to)) return deliver(link, std::move(message));
  office_.collect(placement_.rank_of(link.to),
                  [&](ByteBuffer& parcel) { append_message(parcel, link, message); });
}

void MpiRun::post(const Link& link, const Goodbye& goodbye) {
  if (own_.has(link.to)) return deliver(link, goodbye);
  office_.collect(placement_.rank_of(link.to),
                  [&](ByteBuffer& parcel) { append_goodbye(parcel, link, goodbye); });
}

void MpiRun::start_all(const Program& program) {
  for (const auto& it : cells_) {
    it->start(program);
    if (it->ended()) ++ended_;
    share_new_failure();
    wake(it->id());
  }
}

void MpiRun::wake(NodeId node) {
  NodeCell& it = cell(node);
  const auto index = static_cast<std::size_t>(node - own_.first);
  if (queued_[index] || it.ended() || !it.ready() || !can_go_on(node)) return;
  queued_[index] = true;
  ready_.push_back(node);
}

void MpiRun::run_ready() {
  if (!ready_.empty() && std::exchange(told_waiting_, false)) office_.set_busy();
  Time last_poll = steady_now();
  while (!ready_.empty()) {
    const NodeId node = ready_.front();
    ready_.pop_front();
    step(node);
    if (steady_now() - last_poll < between_polls) continue;
    office_.send_all();
    receive_all();
    fire_timers();
    look_around();
    last_poll = steady_now();
  }
}

void MpiRun::step(NodeId node) {
  NodeCell& it = cell(node);
  queued_[static_cast<std::size_t>(node - own_.first)] = false;
  if (it.ended()) return;  // abandoned meanwhile
  while (!it.ended() && it.ready() && can_go_on(node)) {
    it.fetch();
    it.resume();
    share_new_failure();
  }
  if (it.ended()) {
    ++ended_;
  } else if (it.waiting_for() != WaitFor::round && it.due() != Time::max()) {
    timers_.push({it.due(), node});
  }
}

// The node no longer waits for what the timer was set for.
bool MpiRun::is_over(const Timer& timer) {
  NodeCell& it = cell(timer.node);
  return it.ended() || it.waiting_for() == WaitFor::round || it.due() != timer.due || !can_go_on(timer.node);
}

// A node that waits for certain neighbours is patient while nodes of this rank can run: slow is not lost.
bool MpiRun::fire_timers() {
  const Time now = this->now(0);
  std::vector<Timer> patient;
  while (!timers_.empty() && (timers_.top().due <= now || is_over(timers_.top()))) {
    const Timer timer = timers_.top();
    timers_.pop();
    if (is_over(timer)) continue;
    if (!ready_.empty() && cell(timer.node).waits_for_peers()) {
      patient.push_back(timer);
      continue;
    }
    cell(timer.node).expire();
    wake(timer.node);
  }
  for (const Timer& timer : patient) timers_.push(timer);
  return !ready_.empty();
}

Duration MpiRun::until_next_timer() { return timers_.empty() ? Duration::max() : timers_.top().due - now(0); }

Link MpiRun::link_of(const Frame& frame) const {
  const bool exists = frame.from >= 0 && frame.from < placement_.nodes() && own_.has(frame.to) &&
                      run_.graph.linked(frame.from, frame.to);
  if (!exists)
    fail(ErrorCategory::BadData, "a parcel is damaged: node {} has no link to node {}", frame.from, frame.to);
  return run_.links.link_between(frame.from, frame.to);
}

void MpiRun::open(const Parcel& parcel) {
  const std::string sender = describe_rank(parcel.from, placement_);
  FrameReader reader(*parcel.bytes);
  while (const auto frame = named(sender, [&] { return reader.next(); })) {
    if (frame->type == FrameType::failure) {
      const Failure failure = named(sender, [&] { return read_failure(*parcel.bytes, *frame); });
      require_own(failure, parcel.from, placement_);
      note_failure(failure);
      continue;
    }
    require_own(*frame, parcel.from, placement_);
    const Link link = named(sender, [&] { return link_of(*frame); });
    if (frame->type == FrameType::message) {
      deliver(link, named(sender, [&] { return decode(parcel.bytes, frame->offset, frame->size); }));
    } else {
      deliver(link, named(sender, [&] { return read_goodbye(*parcel.bytes, *frame); }));
    }
  }
}

bool MpiRun::receive_all() {
  bool any = office_.poll();
  while (const auto parcel = office_.take()) {
    open(*parcel);
    any = true;
  }
  return any;
}

bool MpiRun::is_idle() {
  if (!ready_.empty()) return false;
  if (failure_ || ended_ == own_.size()) return true;
  return timers_.empty() && backoff_.waited() > idle_for_good;
}

std::vector<ClosingStatement> MpiRun::until_all_is_quiet(const Program& program) {
  start_all(program);
  while (true) {
    run_ready();
    office_.send_all();
    if (receive_all() || fire_timers()) {
      backoff_.reset();
      continue;
    }
    look_around();
    if (!ready_.empty()) continue;
    if (termination_.look(is_idle(), static_cast<std::uint64_t>(own_.size() - ended_))) {
      auto statements = exchange(office_, closing_statement());
      if (resolve(statements)) return statements;
      backoff_.reset();
      continue;
    }
    backoff_.pause(std::min(until_next_timer(), office_.longest_pause()));
  }
}

ClosingStatement MpiRun::closing_statement() {
  RunReport own;
  add_to_report(cells_, own);
  return {.own_doing = termination_.own_doing(),
          .elapsed = now(0).time_since_epoch(),
          .rounds = own.rounds,
          .stale = own.stale_messages,
          .duplicates = own.duplicate_messages,
          .failure = failure_,
          .suspect = find_suspect(cells_),
          .lowest_waiting_round = lowest_round(Time::max()),
          .losses = std::move(own.losses)};
}

// Whether the run is over. If not, all ranks go on.
bool MpiRun::resolve(const std::vector<ClosingStatement>& all) {
  std::uint64_t lowest = Mailbox::never;
  bool woken = false;
  bool unfinished = false;
  bool failed = false;
  for (const ClosingStatement& statement : all) {
    lowest = std::min(lowest, statement.lowest_waiting_round);
    woken = woken || statement.own_doing;
    unfinished = unfinished || statement.suspect;
    failed = failed || statement.failure;
  }
  if (!woken && (failed || !unfinished)) return true;
  if (!woken) {
    // Nobody will ever send what some nodes wait for.
    if (run_.options.lost_peers == LostPeers::fail || lowest == Mailbox::never) return true;
    expire_rounds(lowest, Time::max());
  }
  termination_.restart();
  return false;
}

RunReport MpiRun::to_the_end(const Program& program) {
  std::vector<ClosingStatement> all;
  try {
    all = until_all_is_quiet(program);
  } catch (const std::exception& trouble) {
    // After a loss this changes nothing: the others know.
    office_.declare_loss(-1, fmt::format("rank {} cannot continue: {}", office_.rank(), trouble.what()));
    throw;
  }
  office_.set_busy();
  return report(all);
}

RunReport MpiRun::report(const std::vector<ClosingStatement>& all) {
  std::optional<Failure> failure;
  std::optional<Suspect> suspect;
  RunReport report;
  for (const ClosingStatement& statement : all) {
    if (statement.failure && (!failure || statement.failure->counts_more_than(*failure))) {
      failure = statement.failure;
    }
    if (statement.suspect && (!suspect || statement.suspect->more_to_blame_than(*suspect))) {
      suspect = statement.suspect;
    }
    report.elapsed = std::max(report.elapsed, statement.elapsed);
    report.rounds = std::max(report.rounds, statement.rounds);
    report.stale_messages += statement.stale;
    report.duplicate_messages += statement.duplicates;
    report.losses.insert(report.losses.end(), statement.losses.begin(), statement.losses.end());
  }
  if (failure) throw Error(failure->category, failure->text);
  if (suspect) {
    std::uint64_t unfinished = static_cast<std::uint64_t>(count_unfinished(cells_));
    office_.add_up(&unfinished, 1);
    throw deadlock(run_.contract, *suspect, static_cast<Index>(unfinished), placement_.nodes());
  }
  static_assert(sizeof(Traffic) == 2 * sizeof(std::uint64_t));
  auto& entries = run_.ledger.entries();
  office_.add_up(reinterpret_cast<std::uint64_t*>(entries.data()), 2 * entries.size());
  report.ledger = std::move(run_.ledger);
  return report;
}

}  // namespace choir
