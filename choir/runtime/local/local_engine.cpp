#include "choir/runtime/local/local_engine.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <queue>
#include <thread>
#include <utility>

#include "choir/base/error.h"
#include "choir/base/memory.h"
#include "choir/base/parallel.h"
#include "choir/base/tbb_pool.h"
#include "choir/linalg/blas.h"
#include "choir/runtime/memory_plan.h"
#include "choir/runtime/run_end.h"

namespace choir {
namespace {

thread_local bool inside_a_node = false;

// Workers run nodes; the thread that called run() keeps the time, shows progress and decides the end.
class LocalRun : public Host {
 public:
  LocalRun(const Graph& graph, const Contract& contract, const RunOptions& options, int threads);
  ~LocalRun() override;
  RunReport to_the_end(const Program& program);

  Time now(NodeId) const override { return Time(steady_now() - begin_); }
  void post(const Link& link, Message message) override { put(link, std::move(message)); }
  void post(const Link& link, const Goodbye& goodbye) override { put(link, goodbye); }

 private:
  struct Slot {
    std::mutex mutex;     // guards the cell's mailbox and wait, and parked
    bool parked = false;  // not running, not submitted
    std::atomic<bool> submitted = false;
  };
  struct Timer {
    Time due{};
    NodeId node = 0;
    bool operator>(const Timer& other) const { return due > other.due; }
  };

  NodeCell& cell(NodeId node) { return *cells_[static_cast<std::size_t>(node)]; }
  Slot& slot(NodeId node) { return slots_[static_cast<std::size_t>(node)]; }
  template <class What>
  void put(const Link& link, What&& what);
  void submit(NodeId node);
  void step(NodeId node);
  void set_timer(NodeId node, Time due);
  bool can_go_on(NodeId node) { return !stopping_.load(std::memory_order_relaxed) && cell(node).may_run(); }

  void start_all(const Program& program);
  void wait_for_the_end();
  bool wait_for_news(Time until);
  bool is_over(const Timer& timer);
  bool idle() const { return active_.load(std::memory_order_acquire) == 0; }
  bool resolve_idleness();
  bool sleep_until_peers_are_due(Time until);
  void fire_timers();
  bool expire_overdue_peers(Time now);
  template <class Overdue>
  void expire_if(NodeId node, Overdue overdue);
  void drain();

  RunContext run_;
  const Time begin_ = steady_now();
  Cells cells_;
  std::vector<Slot> slots_;
  std::atomic<Index> active_ = 0;  // nodes that run or are submitted
  std::atomic<Index> ended_ = 0;
  std::atomic<bool> stopping_ = false;

  std::mutex mutex_;  // guards timers_; the keeper of time sleeps on it
  std::condition_variable news_;
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  std::unique_ptr<TbbPool> pool_;
  std::atomic<bool> begun_ = false;
  std::atomic<std::uint64_t> left_ = 0;  // steps that touch nothing here any more
};

LocalRun::LocalRun(const Graph& graph, const Contract& contract, const RunOptions& options, int threads)
    : run_(graph, contract, options, *this), slots_(static_cast<std::size_t>(graph.nodes())) {
  run_.identities = Identities::for_run(contract, 0, static_cast<NodeId>(graph.nodes()), graph.nodes());
  cells_.reserve(slots_.size());
  for (NodeId node = 0; node < graph.nodes(); ++node)
    cells_.push_back(std::make_unique<NodeCell>(node, run_));
  const auto step = [](void* self, std::int32_t node) { static_cast<LocalRun*>(self)->step(node); };
  pool_ = std::make_unique<TbbPool>(threads, step, this);
}

LocalRun::~LocalRun() {
  pool_.reset();  // waits for the workers
  (void)left_.load(std::memory_order_acquire);
}

template <class What>
void LocalRun::put(const Link& link, What&& what) {
  bool wake = false;
  {
    Slot& its = slot(link.to);
    const std::lock_guard lock(its.mutex);
    NodeCell& it = cell(link.to);
    it.mailbox().put(link.position_at_receiver, std::forward<What>(what));
    wake = its.parked && it.ready() && can_go_on(link.to);
    if (wake) its.parked = false;
  }
  if (wake) submit(link.to);
}

// oneTBB orders what happens before a piece is submitted and what the piece does. The thread sanitizer cannot
// see that; begun_, submitted and left_ say it once more, and no more than that: races between nodes must not
// be hidden from it.
void LocalRun::submit(NodeId node) {
  active_.fetch_add(1, std::memory_order_relaxed);
  slot(node).submitted.store(true, std::memory_order_release);
  pool_->submit(node);
}

void LocalRun::step(NodeId node) {
  (void)begun_.load(std::memory_order_acquire);
  (void)slot(node).submitted.load(std::memory_order_acquire);
  NodeCell& it = cell(node);
  Slot& its = slot(node);
  while (true) {
    {
      const std::lock_guard lock(its.mutex);
      if (it.ended()) break;
      if (!it.ready() || !can_go_on(node)) {
        its.parked = true;
        if (!it.waits_for_peers() && it.due() != Time::max()) set_timer(node, it.due());
        break;
      }
      it.fetch();
    }
    const bool outside = std::exchange(inside_a_node, true);
    it.resume();
    inside_a_node = outside;
    if (it.ended()) ended_.fetch_add(1, std::memory_order_relaxed);
  }
  if (active_.fetch_sub(1, std::memory_order_release) == 1) {
    const std::lock_guard lock(mutex_);
    news_.notify_one();
  }
  left_.fetch_add(1, std::memory_order_release);
}

void LocalRun::set_timer(NodeId node, Time due) {
  const std::lock_guard lock(mutex_);
  const bool earlier = timers_.empty() || due < timers_.top().due;
  timers_.push({due, node});
  if (earlier) news_.notify_one();
}

// Asked under the node's lock: a message may wake it at any time, and its next wait is not overdue.
template <class Overdue>
void LocalRun::expire_if(NodeId node, Overdue overdue) {
  {
    Slot& its = slot(node);
    const std::lock_guard lock(its.mutex);
    if (!its.parked || !can_go_on(node) || !overdue(cell(node))) return;
    cell(node).expire();
    its.parked = false;
  }
  submit(node);
}

// Timers of waits that are long over do no harm: the node is then busy, or waits for something later.
void LocalRun::fire_timers() {
  const Time now = this->now(0);
  std::vector<NodeId> due;
  {
    const std::lock_guard lock(mutex_);
    while (!timers_.empty() && timers_.top().due <= now) {
      due.push_back(timers_.top().node);
      timers_.pop();
    }
  }
  for (const NodeId node : due) {
    expire_if(node, [now](const NodeCell& it) { return !it.waits_for_peers() && it.due() <= now; });
  }
}

// Only while idle. Among nodes whose round is overdue those of the lowest round come first: the others wait
// for them, directly or not.
bool LocalRun::expire_overdue_peers(Time now) {
  std::uint64_t lowest = Mailbox::never;
  std::vector<NodeId> overdue;
  for (const auto& it : cells_) {
    if (it->ended() || !it->waits_for_peers() || it->due() > now) continue;
    if (it->round() < lowest) {
      lowest = it->round();
      overdue.clear();
    }
    if (it->round() == lowest) overdue.push_back(it->id());
  }
  for (const NodeId node : overdue) {
    expire_if(node, [lowest, now](const NodeCell& it) {
      return it.waits_for_peers() && it.round() == lowest && it.due() <= now;
    });
  }
  return !overdue.empty();
}

void LocalRun::start_all(const Program& program) {
  for (const auto& it : cells_) it->start(program);
  begun_.store(true, std::memory_order_release);
  // Held until all are submitted, so that the first to end are not taken for all.
  active_.fetch_add(1, std::memory_order_relaxed);
  for (const auto& it : cells_) {
    if (!it->ended()) submit(it->id());
  }
  active_.fetch_sub(1, std::memory_order_release);
}

// Nothing runs and no timer is set: true if the run is over.
bool LocalRun::resolve_idleness() {
  const auto deadlock = find_deadlock(run_.contract, cells_);
  if (!deadlock || run_.failures.any()) return true;
  if (run_.options.lost_peers == LostPeers::proceed && expire_overdue_peers(Time::max())) return false;
  throw *deadlock;
}

// Only while idle: the node no longer waits for what the timer was set for.
bool LocalRun::is_over(const Timer& timer) {
  NodeCell& it = cell(timer.node);
  return it.ended() || it.waits_for_peers() || it.due() != timer.due;
}

void LocalRun::wait_for_the_end() {
  constexpr Duration between_looks = std::chrono::milliseconds(100);
  Time next_look = now(0) + between_looks;
  while (true) {
    fire_timers();
    const bool timers = wait_for_news(next_look);
    if (idle() && run_.failures.any()) return;
    if (idle() && !timers && !sleep_until_peers_are_due(next_look) && resolve_idleness()) return;
    if (now(0) < next_look) continue;
    next_look = now(0) + between_looks;
    run_.options.watch.report("nodes", ended_, static_cast<Index>(cells_.size()));
    if (idle()) expire_overdue_peers(now(0));
  }
}

// Only while idle. A program that waits for a message of one neighbour gets its answer when it is due, not
// before; false if nobody waits like that.
bool LocalRun::sleep_until_peers_are_due(Time until) {
  Time due = Time::max();
  for (const auto& it : cells_) {
    if (!it->ended() && it->waiting_for() == WaitFor::message) due = std::min(due, it->due());
  }
  if (due == Time::max()) return false;
  std::this_thread::sleep_for(std::min(due, until) - now(0));
  if (now(0) >= due) expire_overdue_peers(now(0));
  return true;
}

// Sleeps until the next timer, until a time, or until nothing runs any more. Returns whether a timer is set.
bool LocalRun::wait_for_news(Time until) {
  std::unique_lock lock(mutex_);
  if (idle()) {
    while (!timers_.empty() && is_over(timers_.top())) timers_.pop();
    if (timers_.empty()) return false;
  }
  if (!timers_.empty()) until = std::min(until, timers_.top().due);
  news_.wait_until(lock, std::chrono::steady_clock::now() + (until - now(0)));
  return !timers_.empty();
}

// Lets running steps end; nothing new is begun.
void LocalRun::drain() {
  stopping_ = true;
  std::unique_lock lock(mutex_);
  news_.wait(lock, [this] { return idle(); });
}

RunReport LocalRun::to_the_end(const Program& program) {
  start_all(program);
  try {
    wait_for_the_end();
  } catch (...) {
    drain();
    throw;
  }
  throw_failure(run_);
  RunReport report;
  report.elapsed = now(0).time_since_epoch();
  add_to_report(cells_, report);
  report.ledger = std::move(run_.ledger);
  return report;
}

}  // namespace

RunReport LocalEngine::run(const Graph& graph, const Contract& contract, const Program& program,
                           const RunOptions& options) {
  if (inside_a_node) {
    throw Error(ErrorCategory::InvalidArgument,
                "a node program cannot run nodes on threads itself: all threads may be waiting for it; use "
                "the simulator inside, or run the second network after the first");
  }
  const int threads = resolve_threads(options_.threads.value_or(options.threads));
  const MemoryPlan plan = plan_memory(graph, contract, own_nodes(graph.nodes()), threads);
  require_memory(plan, contract.method, available_memory());
  const SingleThreadedBlas scope;
  LocalRun run(graph, contract, options, threads);
  return run.to_the_end(program);
}

}  // namespace choir
