// The processes that run one engine together: what one of them knows or fails at, all learn. With an engine
// of one process everything here is what it would be without it.
//
//   const FitData data = processes.together([&] { return read(own_shards); });
//   const std::string folder = processes.from_speaker([&] { return make_folder(); });
//
// Every process must go through the same calls in the same order.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "choir/runtime/engine.h"

namespace choir::cli {

class ProcessGroup {
 public:
  explicit ProcessGroup(Engine& engine) : engine_(engine) {}

  Engine& engine() { return engine_; }
  // Only one process prints, draws and writes what exists once.
  bool speaks() const { return engine_.is_speaker(); }
  Index size();
  std::vector<std::string> gather(const std::string& text);

  // Does the work in this process and waits for the others. If it failed anywhere, all throw the Error of the
  // first process that failed: nobody is left waiting.
  template <class Work>
  auto together(Work&& work) -> std::invoke_result_t<Work>;
  // Work that only the speaker does; all get its text.
  std::string from_speaker(const std::function<std::string()>& work);

  // Whether the last error was thrown by all processes: then the speaker alone reports it.
  bool failed_together() const { return failed_together_; }

 private:
  void agree(const std::function<void()>& work);

  Engine& engine_;
  std::optional<Index> size_;
  bool failed_together_ = false;
};

template <class Work>
auto ProcessGroup::together(Work&& work) -> std::invoke_result_t<Work> {
  using Result = std::invoke_result_t<Work>;
  if constexpr (std::is_void_v<Result>) {
    agree(work);
  } else {
    std::optional<Result> result;
    agree([&] { result.emplace(work()); });
    return std::move(*result);
  }
}

}  // namespace choir::cli
