// What goes on in a run, while it does: a few lines that are redrawn in place on a terminal, and one plain
// line now and then where there is none.
//
//   Dashboard dashboard(Dashboard::Place::terminal);
//   run.audit = [&](NodeId from, NodeId, const Message& message) { dashboard.sent(from, message); };
//   method.watch.progress = [&](const Progress& progress) { dashboard.progress(progress); };
//
// Of the nodes of this process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>

#include "choir/base/progress.h"
#include "choir/base/stopwatch.h"
#include "choir/runtime/message.h"

namespace choir::cli {

struct DashboardState {
  std::string stage;  // "rounds of node 0"
  Index done = 0;
  Index total = 0;     // 0: not known
  double measure = 0;  // 0: none
  std::uint64_t bytes = 0;
  std::uint64_t messages = 0;
  // Of the nodes that have sent anything with a round in it.
  std::optional<NodeId> slowest = {};
  std::uint64_t slowest_round = 0;
  std::uint64_t latest_round = 0;
  std::uint64_t memory = 0;  // bytes
  double seconds = 0;
};

// Pure: what is shown of it.
// Each ends with a newline. None is longer than the terminal is wide: one that is broken there counts as one.
std::string dashboard_lines(const DashboardState& state, std::size_t columns);
std::string dashboard_line(const DashboardState& state);

class Dashboard {
 public:
  enum class Place { terminal, plain };
  explicit Dashboard(Place place);
  ~Dashboard();  // wipes what it drew on a terminal
  Dashboard(const Dashboard&) = delete;
  Dashboard& operator=(const Dashboard&) = delete;

  // Both from any thread.
  void progress(const Progress& progress);
  void sent(NodeId from, const Message& message);
  // Lets somebody else write to the terminal: what is drawn goes, and comes again below.
  void aside(const std::function<void()>& write);

 private:
  void redraw(const std::stop_token& end);
  void show(const DashboardState& state);
  DashboardState state() const;
  void wipe();

  const Place place_;
  const Stopwatch clock_;
  mutable std::mutex mutex_;
  DashboardState seen_;
  std::unordered_map<NodeId, std::uint64_t> rounds_;  // latest of each node
  std::mutex drawing_;
  int drawn_lines_ = 0;
  std::jthread drawer_;
};

}  // namespace choir::cli
