#include "choir/runtime/sim/sim_engine.h"

#include <algorithm>

#include "choir/base/memory.h"
#include "choir/linalg/blas.h"
#include "choir/runtime/memory_plan.h"
#include "choir/runtime/message_codec.h"
#include "choir/runtime/run_end.h"
#include "choir/runtime/sim/event_queue.h"
#include "choir/runtime/sim/fault_log.h"
#include "choir/runtime/sim/links.h"

namespace choir {
namespace {

class SimRun : public Host {
 public:
  SimRun(const Graph& graph, const Contract& contract, const Program& program, const RunOptions& options,
         const SimOptions& sim);
  RunReport to_the_end();

  Time now(NodeId) const override { return now_; }
  void post(const Link& link, Message message) override;
  void post(const Link& link, const Goodbye& goodbye) override;

 private:
  struct InFlight {
    Link link;
    Message message{Kind::control};
    std::optional<Goodbye> goodbye;  // instead of the message
  };
  struct Clock {
    Time busy_until{};         // its last step takes until then
    Time armed = Time::max();  // when its earliest timer event comes
    double slowness = 1;
    bool started = false;
    bool crashed = false;
    bool woken = false;  // a wake event is on its way
  };

  NodeCell& cell(NodeId node) { return *cells_[static_cast<std::size_t>(node)]; }
  Clock& clock(NodeId node) { return clocks_[static_cast<std::size_t>(node)]; }
  Duration slowed(Duration duration, NodeId node) const;
  Duration step_time(NodeId node) const { return slowed(sim_.step_time, node); }
  std::uint32_t store(InFlight flight);

  Links mode_of(const Message& message) const {
    return is_reliable(message.channel()) ? Links::reliable : run_.contract.links;
  }
  void start(NodeId node);
  void join(NodeId node);
  void schedule_faults();
  void handle(const Event& event);
  void deliver(std::uint32_t flight);
  void handle_timer(NodeId node);
  bool is_held_up(const Link& link);
  void crash(NodeId node);
  void run_if_ready(NodeId node);
  void arm(NodeId node);
  void trace(TraceType type, NodeId node) const;
  void trace(TraceType type, const Link& link, const Message& message) const;

  const SimOptions& sim_;
  const Program& program_;
  RunContext run_;
  SimLinks links_;
  Cells cells_;
  std::vector<Clock> clocks_;
  FaultLog faults_;
  EventQueue events_;
  std::vector<InFlight> flights_;
  std::vector<std::uint32_t> free_flights_;
  Time now_{};
  Index ended_ = 0;
};

SimRun::SimRun(const Graph& graph, const Contract& contract, const Program& program,
               const RunOptions& options, const SimOptions& sim)
    : sim_(sim),
      program_(program),
      run_(graph, contract, options, *this),
      links_(graph, sim, contract.links, options.seed),
      clocks_(static_cast<std::size_t>(graph.nodes())),
      faults_(graph.nodes()) {
  run_.identities = Identities::for_run(contract, 0, static_cast<NodeId>(graph.nodes()), graph.nodes());
  cells_.reserve(clocks_.size());
  for (NodeId node = 0; node < graph.nodes(); ++node)
    cells_.push_back(std::make_unique<NodeCell>(node, run_));
  for (const SlowNode& slow : sim.slow) clock(slow.node).slowness = slow.factor;
}

Duration SimRun::slowed(Duration duration, NodeId node) const {
  const double slowness = clocks_[static_cast<std::size_t>(node)].slowness;
  if (slowness == 1) return duration;
  constexpr double longest = 9e18;  // in nanoseconds; some 285 years
  const double nanoseconds = static_cast<double>(duration.count()) * slowness;
  return Duration(static_cast<Duration::rep>(std::min(nanoseconds, longest)));
}

void SimRun::trace(TraceType type, NodeId node) const {
  if (sim_.trace) sim_.trace({.time = now_, .type = type, .node = node});
}

void SimRun::trace(TraceType type, const Link& link, const Message& message) const {
  if (!sim_.trace) return;
  sim_.trace({.time = now_,
              .type = type,
              .node = link.from,
              .peer = link.to,
              .kind = message.kind(),
              .channel = message.channel(),
              .round = message.round(),
              .bytes = encoded_size(message)});
}

std::uint32_t SimRun::store(InFlight flight) {
  if (free_flights_.empty()) {
    flights_.push_back(std::move(flight));
    return static_cast<std::uint32_t>(flights_.size() - 1);
  }
  const std::uint32_t slot = free_flights_.back();
  free_flights_.pop_back();
  flights_[slot] = std::move(flight);
  return slot;
}

void SimRun::post(const Link& link, Message message) {
  trace(TraceType::send, link, message);
  const Arrival arrival = links_.send(link, now_ + step_time(link.from), mode_of(message));
  MessageFaults& faults = faults_.of(link.from);
  faults.sent_again += arrival.sent_again;
  if (!arrival.first) {
    ++faults.lost;
    trace(TraceType::lose, link, message);
    return;
  }
  if (arrival.second) {
    ++faults.repeated;
    trace(TraceType::repeat, link, message);
    events_.push(*arrival.second, EventType::deliver, store({link, message, {}}));
  }
  events_.push(*arrival.first, EventType::deliver, store({link, std::move(message), {}}));
}

void SimRun::post(const Link& link, const Goodbye& goodbye) {
  const Time arrival = links_.send_reliably(link, now_ + step_time(link.from));
  events_.push(arrival, EventType::deliver, store({link, Message(Kind::control), goodbye}));
}

void SimRun::start(NodeId node) {
  clock(node).started = true;
  cell(node).start(program_);
  if (cell(node).ended()) ++ended_;
  run_if_ready(node);
}

void SimRun::join(NodeId node) {
  if (clock(node).crashed) return;
  faults_.note(NodeEvent::What::joined, node, now_);
  start(node);
}

void SimRun::schedule_faults() {
  for (const NodeTime& crash : sim_.crashes) {
    events_.push(Time(crash.at), EventType::crash, static_cast<std::uint32_t>(crash.node));
  }
  for (const NodeTime& join : sim_.joins) {
    events_.push(Time(join.at), EventType::join, static_cast<std::uint32_t>(join.node));
  }
}

void SimRun::run_if_ready(NodeId node) {
  NodeCell& it = cell(node);
  Clock& its = clock(node);
  if (!its.started || it.ended()) return;
  if (it.ready() && now_ < its.busy_until) {
    if (!std::exchange(its.woken, true)) {
      events_.push(its.busy_until, EventType::wake, static_cast<std::uint32_t>(node));
    }
    return;
  }
  if (it.ready() && it.may_run()) {
    it.fetch();
    it.resume();
    its.busy_until = now_ + step_time(node);
    if (it.ended()) {
      ++ended_;
      trace(TraceType::end, node);
      return;
    }
    if (it.waiting_for() == WaitFor::time) {
      it.postpone(Deadline::after(slowed(it.due() - now_, node), now_).time());
    }
    if (it.ready()) {  // what it waits for is already there; it goes on after the time its step took
      its.woken = true;
      events_.push(its.busy_until, EventType::wake, static_cast<std::uint32_t>(node));
    }
  }
  if (!it.ready()) arm(node);
}

// One timer event a node is enough: it is armed again when it comes too early.
void SimRun::arm(NodeId node) {
  Clock& its = clock(node);
  const Time due = cell(node).due();
  if (due == Time::max() || due >= its.armed) return;
  its.armed = due;
  events_.push(due, EventType::timer, static_cast<std::uint32_t>(node));
}

void SimRun::handle_timer(NodeId node) {
  Clock& its = clock(node);
  NodeCell& it = cell(node);
  if (now_ >= its.armed) its.armed = Time::max();
  // After a failure nothing is overdue: what has a deadline may wait for a node that is held back.
  if (!its.started || it.ended() || run_.failures.any()) return;
  if (it.due() > now_) {
    arm(node);
    return;
  }
  if (!it.ready()) {
    if (it.waiting_for() != WaitFor::time) trace(TraceType::expire, node);
    it.expire_unless([&](Index position) { return is_held_up(run_.links.link(node, position)); });
    if (!it.ready()) it.postpone(now_ + run_.options.deadline);
  }
  run_if_ready(node);
}

// The neighbour of an overdue round is alive, can be reached, and waits for others itself: its own deadline
// will find who is really lost. A transport with heartbeats knows as much.
bool SimRun::is_held_up(const Link& link) {
  NodeCell& other = cell(link.to);
  const bool present = clock(link.to).started && !other.ended() && links_.is_whole(link, now_);
  return present && other.waits_for_peers() && !other.ready() && other.due() != Time::max();
}

void SimRun::deliver(std::uint32_t flight) {
  InFlight arrived = std::exchange(flights_[flight], InFlight{});
  free_flights_.push_back(flight);
  const NodeId to = arrived.link.to;
  const bool absent = cell(to).ended() || (!clock(to).started && mode_of(arrived.message) == Links::raw);
  if (arrived.goodbye) {
    if (!cell(to).ended()) cell(to).mailbox().put(arrived.link.position_at_receiver, *arrived.goodbye);
  } else if (absent) {
    const bool by_fault = clock(to).crashed || !clock(to).started;  // not just ended
    if (by_fault) ++faults_.of(arrived.link.from).discarded;
    trace(TraceType::discard, arrived.link, arrived.message);
    return;
  } else {
    trace(TraceType::deliver, arrived.link, arrived.message);
    cell(to).mailbox().put(arrived.link.position_at_receiver, std::move(arrived.message));
  }
  run_if_ready(to);
}

void SimRun::crash(NodeId node) {
  Clock& its = clock(node);
  if (cell(node).ended() || its.crashed) return;
  its.crashed = true;
  faults_.note(NodeEvent::What::crashed, node, now_, cell(node).round());
  cell(node).abandon();
  ++ended_;
  trace(TraceType::crash, node);
}

void SimRun::handle(const Event& event) {
  const auto node = static_cast<NodeId>(event.subject);
  switch (event.type) {
    case EventType::deliver:
      deliver(event.subject);
      break;
    case EventType::timer:
      handle_timer(node);
      break;
    case EventType::wake:
      clock(node).woken = false;
      run_if_ready(node);
      break;
    case EventType::crash:
      crash(node);
      break;
    case EventType::join:
      trace(TraceType::join, node);
      join(node);
      break;
  }
}

RunReport SimRun::to_the_end() {
  schedule_faults();
  std::vector<bool> later(clocks_.size(), false);
  for (const NodeTime& join : sim_.joins) later[static_cast<std::size_t>(join.node)] = true;
  const auto nodes = static_cast<NodeId>(clocks_.size());
  for (NodeId node = 0; node < nodes; ++node) {
    if (!later[static_cast<std::size_t>(node)]) {
      trace(TraceType::start, node);
      start(node);
    }
  }
  constexpr std::uint64_t events_between_reports = 1 << 14;
  for (std::uint64_t count = 0; ended_ < nodes && !events_.empty(); ++count) {
    const Event event = events_.pop();
    now_ = event.time;
    handle(event);
    if (count % events_between_reports == 0) run_.options.watch.report("nodes", ended_, nodes);
  }
  throw_failure(run_);
  if (const auto deadlock = find_deadlock(run_.contract, cells_)) throw *deadlock;

  RunReport report;
  report.elapsed = now_.time_since_epoch();
  add_to_report(cells_, report);
  for (NodeId node = 0; node < nodes; ++node) {
    if (clock(node).crashed) report.crashed.push_back(node);
  }
  faults_.move_to(report, sim_.partitions, now_);
  report.ledger = std::move(run_.ledger);
  return report;
}

}  // namespace

RunReport SimEngine::run(const Graph& graph, const Contract& contract, const Program& program,
                         const RunOptions& options) {
  validate(options_, graph);
  const MemoryPlan plan = plan_memory(graph, contract, own_nodes(graph.nodes()), 1);
  require_memory(plan, contract.method, available_memory());
  const SingleThreadedBlas scope;
  SimRun run(graph, contract, program, options, options_);
  return run.to_the_end();
}

}  // namespace choir
