#include "choir/cli/dashboard.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "choir/base/memory.h"
#include "choir/base/text.h"
#include "choir/runtime/message_codec.h"

namespace choir::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto terminal_rhythm = 200ms;
constexpr auto plain_rhythm = 2s;

std::string progress_words(const DashboardState& state) {
  if (state.stage.empty()) return state.messages == 0 ? "getting ready" : "at work";
  const std::string of = state.total > 0 ? fmt::format(" of {}", state.total) : "";
  const std::string measure = state.measure > 0 ? fmt::format(", {:.2e}", state.measure) : "";
  return fmt::format("{} {}{}{}", state.stage, state.done, of, measure);
}

std::string slowest_words(const DashboardState& state) {
  if (!state.slowest)
    return state.messages == 0 ? "no node has sent anything yet" : "no node waits for rounds";
  if (state.latest_round == state.slowest_round)
    return fmt::format("none; all in round {}", state.latest_round);
  return fmt::format("node {} in round {}, others up to {}", *state.slowest, state.slowest_round,
                     state.latest_round);
}

std::string sent_words(const DashboardState& state) {
  return fmt::format("{} in {} messages", human_bytes(static_cast<double>(state.bytes)), state.messages);
}

std::string cost_words(const DashboardState& state) {
  return fmt::format("{:.0f} MiB, {:.1f} s", static_cast<double>(state.memory) / 1048576, state.seconds);
}

std::size_t terminal_columns() {
  constexpr std::size_t usual = 80;
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual;
  return size.ws_col;
}

}  // namespace

std::string dashboard_lines(const DashboardState& state, std::size_t columns) {
  const std::pair<const char*, std::string> entries[] = {{"now", progress_words(state)},
                                                         {"slowest", slowest_words(state)},
                                                         {"sent", sent_words(state)},
                                                         {"cost", cost_words(state)}};
  std::string lines;
  for (const auto& [title, words] : entries) {
    lines += fmt::format("{:<9}{}", title, words).substr(0, columns) + "\n";
  }
  return lines;
}

std::string dashboard_line(const DashboardState& state) {
  return fmt::format("{}; slowest: {}; sent {}; {}", progress_words(state), slowest_words(state),
                     sent_words(state), cost_words(state));
}

Dashboard::Dashboard(Place place)
    : place_(place), drawer_([this](const std::stop_token& end) { redraw(end); }) {}

Dashboard::~Dashboard() {
  drawer_.request_stop();
  drawer_.join();
  wipe();
}

void Dashboard::progress(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  seen_.stage = progress.stage;
  seen_.done = progress.done;
  seen_.total = progress.total;
  seen_.measure = progress.measure;
}

void Dashboard::sent(NodeId from, const Message& message) {
  const std::size_t bytes = encoded_size(message);
  const std::lock_guard lock(mutex_);
  seen_.bytes += bytes;
  ++seen_.messages;
  if (message.channel() == exchange_channel) rounds_[from] = message.round();
}

DashboardState Dashboard::state() const {
  const std::lock_guard lock(mutex_);
  DashboardState state = seen_;
  for (const auto& [node, round] : rounds_) {
    state.latest_round = std::max(state.latest_round, round);
    const bool slower = !state.slowest || round < state.slowest_round ||
                        (round == state.slowest_round && node < *state.slowest);
    if (!slower) continue;
    state.slowest = node;
    state.slowest_round = round;
  }
  state.memory = resident_memory();
  state.seconds = clock_.seconds();
  return state;
}

void Dashboard::redraw(const std::stop_token& end) {
  std::mutex mutex;
  std::condition_variable_any waiting;
  std::unique_lock lock(mutex);
  const Duration rhythm = place_ == Place::terminal ? Duration(terminal_rhythm) : Duration(plain_rhythm);
  while (!end.stop_requested()) {
    waiting.wait_for(lock, end, rhythm, [] { return false; });
    if (!end.stop_requested()) show(state());
  }
}

void Dashboard::show(const DashboardState& state) {
  if (place_ == Place::plain) {
    std::fputs(("choir: " + dashboard_line(state) + "\n").c_str(), stderr);
    return;
  }
  const std::lock_guard lock(drawing_);
  wipe();
  const std::string lines = dashboard_lines(state, terminal_columns());
  drawn_lines_ = static_cast<int>(std::count(lines.begin(), lines.end(), '\n'));
  std::fputs(lines.c_str(), stderr);
  std::fflush(stderr);
}

void Dashboard::aside(const std::function<void()>& write) {
  const std::lock_guard lock(drawing_);
  wipe();
  write();
}

// With drawing_ held, or alone.
void Dashboard::wipe() {
  if (drawn_lines_ == 0) return;
  std::fputs(fmt::format("\033[{}A\r\033[J", drawn_lines_).c_str(), stderr);
  std::fflush(stderr);
  drawn_lines_ = 0;
}

}  // namespace choir::cli
