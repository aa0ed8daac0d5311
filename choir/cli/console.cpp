#include "choir/cli/console.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <thread>

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

namespace choir::cli {
namespace {

using namespace std::chrono_literals;

// A signal handler can reach nothing but a global.
std::atomic<bool> interrupted_by_user{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void note_interrupt(int signal) {
  interrupted_by_user = true;
  std::signal(signal, SIG_DFL);  // a second Ctrl-C ends the program at once
}

std::atomic<std::uint64_t> saves_requested{0};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

extern "C" void note_save_request(int) { ++saves_requested; }

spdlog::logger& log() {
  static const auto logger = [] {
    auto made = std::make_shared<spdlog::logger>("choir", std::make_shared<spdlog::sinks::stderr_sink_st>());
    made->set_pattern("choir: %v");
    return made;
  }();
  return *logger;
}

std::string bar(const Progress& progress) {
  std::string line(progress.stage);
  if (progress.total > 0) {
    constexpr Index width = 24;
    const Index filled = std::clamp<Index>(width * progress.done / progress.total, 0, width);
    line += fmt::format(" [{}{}] {:3d}%", std::string(static_cast<std::size_t>(filled), '='),
                        std::string(static_cast<std::size_t>(width - filled), ' '),
                        100 * progress.done / progress.total);
  } else {
    line += fmt::format(" {}", progress.done);
  }
  if (progress.measure > 0) line += fmt::format("  {:.1e}", progress.measure);
  return line;
}

}  // namespace

// A signal handler may not ask for a stop itself, so a thread looks whether one was called.
class Console::StopOnInterrupt {
 public:
  std::stop_token token() const { return source_.get_token(); }

 private:
  void look(const std::stop_token& end) {
    std::mutex mutex;
    std::condition_variable_any waiting;
    std::unique_lock lock(mutex);
    while (!end.stop_requested() && !interrupted_by_user) {
      waiting.wait_for(lock, end, 20ms, [] { return false; });
    }
    if (interrupted_by_user) source_.request_stop();
  }

  std::stop_source source_;
  std::jthread looker_{[this](const std::stop_token& end) { look(end); }};
};

Console::Console(const ConsoleOptions& options) : options_(options), terminal_(isatty(STDERR_FILENO) == 1) {}

Console::~Console() { wipe(); }

void Console::write(const std::function<void()>& write) {
  wipe();
  if (make_room_) {
    make_room_(write);
  } else {
    write();
  }
}

void Console::print(const std::string& text) {
  write([&] {
    std::fputs((text + "\n").c_str(), stdout);
    std::fflush(stdout);
  });
}

void Console::note(const std::string& text) {
  if (!options_.quiet) write([&] { log().info(text); });
}

void Console::warn(const std::string& text) {
  write([&] { log().warn("warning: {}", text); });
}

Watch Console::watch() {
  if (!stop_) stop_ = std::make_unique<StopOnInterrupt>();
  return {.progress = [this](const Progress& progress) { draw(progress); }, .stop = stop_->token()};
}

void Console::draw(const Progress& progress) {
  if (options_.quiet || !terminal_) return;
  const Time now = steady_now();
  if (drawn_ && now - last_drawn_ < 100ms) return;
  last_drawn_ = now;
  drawn_ = true;
  std::fputs(("\r\033[K" + bar(progress)).c_str(), stderr);
  std::fflush(stderr);
}

void Console::wipe() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

std::uint64_t save_requests() { return saves_requested; }

void catch_interrupts() {
  std::signal(SIGUSR1, note_save_request);
  std::signal(SIGINT, note_interrupt);
  std::signal(SIGTERM, note_interrupt);
  // A terminal that closes, unless nohup has said that it may.
  if (std::signal(SIGHUP, note_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

}  // namespace choir::cli
