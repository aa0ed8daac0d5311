// Everything the program shows: results on stdout, notes and progress on stderr. Progress is drawn only on
// a terminal, at most ten times a second, and wiped before anything else is written.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "choir/base/deadline.h"
#include "choir/base/progress.h"

namespace choir::cli {

struct ConsoleOptions {
  bool quiet = false;  // no notes, no progress; warnings and errors stay
  bool json = false;   // tables as JSON
};

class Console {
 public:
  explicit Console(const ConsoleOptions& options);
  ~Console();

  bool json() const { return options_.json; }
  bool quiet() const { return options_.quiet; }
  bool is_terminal() const { return terminal_; }  // stderr

  void print(const std::string& text);  // stdout, with a newline
  void note(const std::string& text);   // stderr, unless quiet
  void warn(const std::string& text);   // stderr

  // Somebody else draws on the terminal, and wants to make room for what is written. Empty: nobody does.
  using MakeRoom = std::function<void(const std::function<void()>& write)>;
  void make_room_by(MakeRoom make_room) { make_room_ = std::move(make_room); }

  // Draws progress, and asks for a stop after Ctrl-C.
  Watch watch();

 private:
  void write(const std::function<void()>& write);
  void draw(const Progress& progress);
  void wipe();

  class StopOnInterrupt;

  ConsoleOptions options_;
  std::unique_ptr<StopOnInterrupt> stop_;
  bool terminal_;
  bool drawn_ = false;
  Time last_drawn_{};
  MakeRoom make_room_;
};

// How often SIGUSR1 has asked so far that a run save what it has learned.
std::uint64_t save_requests();

// Counts SIGUSR1, and makes Ctrl-C and a termination request end the run through Console::watch instead of at
// once.
void catch_interrupts();

}  // namespace choir::cli
