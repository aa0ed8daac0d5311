// One run of the nodes of one rank, on the caller's thread. Other ranks run the rest; see mpi_engine.h.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <vector>

#include "choir/runtime/mpi/backoff.h"
#include "choir/runtime/mpi/frames.h"
#include "choir/runtime/mpi/placement.h"
#include "choir/runtime/mpi/post_office.h"
#include "choir/runtime/mpi/statements.h"
#include "choir/runtime/mpi/termination.h"
#include "choir/runtime/run_end.h"

namespace choir {

class MpiRun : public Host {
 public:
  MpiRun(const Graph& graph, const Contract& contract, const RunOptions& options, PostOffice& office);

  // Every rank tells the others its nodes' public keys: once, before to_the_end(). By all ranks together.
  void exchange_identities();
  RunReport to_the_end(const Program& program);

  Time now(NodeId) const override { return Time(steady_now() - begin_); }
  void post(const Link& link, Message message) override;
  void post(const Link& link, const Goodbye& goodbye) override;

 private:
  struct Timer {
    Time due{};
    NodeId node = 0;
    bool operator>(const Timer& other) const { return due > other.due; }
  };

  NodeCell& cell(NodeId node) { return *cells_[static_cast<std::size_t>(node - own_.first)]; }
  template <class What>
  void deliver(const Link& link, What&& what);
  bool can_go_on(NodeId node) { return !stopped_ && cell(node).may_run(); }

  // Nodes.
  void start_all(const Program& program);
  void wake(NodeId node);
  void run_ready();
  void step(NodeId node);
  bool fire_timers();
  bool is_over(const Timer& timer);
  Duration until_next_timer();

  // Parcels.
  bool receive_all();
  void open(const Parcel& parcel);
  Link link_of(const Frame& frame) const;

  // Failures.
  void share_new_failure();
  void note_failure(const Failure& failure);
  void broadcast(const Failure& failure);
  void stop_all(ErrorCategory category, const std::string& text);
  void look_around();
  void tell_what_is_waited_for();
  bool expire_rounds(std::uint64_t round, Time now);
  std::uint64_t lowest_round(Time due_until) const;
  void miss_deadline(const NodeCell& waiting, NodeId missing);
  void end_around_the_stuck();

  // The end.
  std::vector<ClosingStatement> until_all_is_quiet(const Program& program);
  bool is_idle();
  ClosingStatement closing_statement();
  bool resolve(const std::vector<ClosingStatement>& all);
  RunReport report(const std::vector<ClosingStatement>& all);

  PostOffice& office_;
  const Placement placement_;
  const NodeRange own_;
  RunContext run_;
  const Time begin_ = steady_now();
  Cells cells_;  // of own_
  std::deque<NodeId> ready_;
  std::vector<bool> queued_;  // beside cells_
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  Index ended_ = 0;
  std::optional<Failure> failure_;  // the one that counts, of those known here
  Time failure_known_{};            // since when
  bool stopped_ = false;            // a rank has: no node runs any more
  bool told_waiting_ = false;       // others may think that nothing can run here
  Time next_look_{};
  Backoff backoff_;
  Termination termination_;
};

}  // namespace choir
