// The processes that run one engine together: what one of them knows or fails at, all learn. What they tell
// each other are statements with a kind: the contract between the processes names the kinds, another one is
// refused, and what was told is counted. With an engine of one process nothing leaves it and nothing is
// counted.
//
//   ProcessGroup processes(*engine);
//   const Samples mine = processes.together([&] { return read(file); });
//   const std::vector<Index> sizes = processes.tell_all(Kind::facts, mine.cols());
//   const auto folder = processes.from_speaker<std::string>(Kind::options, [&] { return make_folder(); });
//   processes.told().at(Kind::facts).bytes;
//
// Every process must go through the same calls in the same order.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "choir/runtime/engine.h"
#include "choir/runtime/statement.h"

namespace choir {

class ProcessGroup {
 public:
  explicit ProcessGroup(Engine& engine, KindSet allowed = process_kinds)
      : engine_(engine), allowed_(allowed) {}

  Engine& engine() { return engine_; }
  // Only one process prints, draws and writes what exists once.
  bool speaks() const { return engine_.is_speaker(); }
  Index size() const { return engine_.processes(); }
  Index own() const { return engine_.process(); }

  // Does the work in this process and waits for the others. If it failed anywhere, all throw the Error of the
  // first process that failed: nobody is left waiting. Failures are of kind failures; where there is none an
  // empty message goes, of 24 bytes.
  template <class Work>
  auto together(Work&& work) -> std::invoke_result_t<Work>;
  // A statement of every process, in their order. Throws Error(Internal) before anything is sent if the
  // contract does not name its kind, or on all processes if they tell different kinds.
  template <class Statement>
  std::vector<Statement> tell_all(Kind kind, const Statement& mine);
  // Work that only the speaker does; all get its statement, or throw its Error.
  template <class Statement>
  Statement from_speaker(Kind kind, const std::function<Statement()>& work);

  // Whether the last error was thrown by all processes: then the speaker alone reports it.
  bool failed_together() const { return failed_together_; }

  // What this process has told others, by kind, through any group of this engine: a message per other
  // process, with its encoded size.
  const std::map<Kind, Traffic>& told() const { return engine_.told(); }

 private:
  void require_allowed(Kind kind) const;
  void agree(const std::function<void()>& work);
  void count(const Message& mine);
  std::vector<Message> exchange(const Message& mine);
  template <class Read>
  auto read_together(Read read) -> std::invoke_result_t<Read>;

  Engine& engine_;
  KindSet allowed_;
  bool failed_together_ = false;
};

template <class Work>
auto ProcessGroup::together(Work&& work) -> std::invoke_result_t<Work> {
  using Returned = std::invoke_result_t<Work>;
  if constexpr (std::is_void_v<Returned>) {
    agree(work);
  } else {
    std::optional<Returned> result;
    agree([&] { result.emplace(work()); });
    return std::move(*result);
  }
}

// All processes have the same messages before them: what one cannot read, none can.
template <class Read>
auto ProcessGroup::read_together(Read read) -> std::invoke_result_t<Read> {
  try {
    return read();
  } catch (const Error&) {
    failed_together_ = true;
    throw;
  }
}

template <class Statement>
std::vector<Statement> ProcessGroup::tell_all(Kind kind, const Statement& mine) {
  require_allowed(kind);
  if (size() == 1) return {mine};
  const std::vector<Message> messages = exchange(statement(kind, mine));
  return read_together([&] {
    std::vector<Statement> all;
    for (const Message& message : messages) all.push_back(read_statement<Statement>(message));
    return all;
  });
}

template <class Statement>
Statement ProcessGroup::from_speaker(Kind kind, const std::function<Statement()>& work) {
  require_allowed(kind);
  std::optional<Statement> mine;
  together([&] {
    if (speaks()) mine.emplace(work());
  });
  if (size() == 1) return std::move(*mine);
  const std::vector<Message> messages = exchange(mine ? statement(kind, *mine) : Message(kind));
  return read_together([&] {
    for (const Message& message : messages) {
      if (!message.arrays().empty()) return read_statement<Statement>(message);
    }
    throw Error(ErrorCategory::Internal, "no process speaks for the others");
  });
}

}  // namespace choir
