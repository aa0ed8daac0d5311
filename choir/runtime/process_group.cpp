#include "choir/runtime/process_group.h"

#include <string>

#include "choir/base/error.h"
#include "choir/runtime/message_codec.h"

namespace choir {
namespace {

struct ProcessFailure {
  ErrorCategory category = ErrorCategory::Internal;
  std::string sentence;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(category, sentence);
  }
};

// An empty message: all is well.
Message outcome_of(const std::function<void()>& work) {
  try {
    work();
    return Message(Kind::failures);
  } catch (...) {
    const Error error = current_error();
    return statement(Kind::failures, ProcessFailure{.category = error.category(), .sentence = error.what()});
  }
}

bool is_failure(const Message& outcome) {
  return encoded_size(outcome) > encoded_size(Message(Kind::failures));
}

Error to_error(const Message& failure) {
  const auto said = read_statement<ProcessFailure>(failure);
  return Error(said.category, said.sentence);
}

// Compared with the first of them, so that all processes come to the same conclusion.
void require_same_kind(const std::vector<Message>& messages) {
  for (std::size_t process = 1; process < messages.size(); ++process) {
    if (messages[process].kind() == messages[0].kind()) continue;
    fail(ErrorCategory::Internal,
         "the processes are out of step: process {} tells {} while process 0 tells {}", process,
         to_string(messages[process].kind()), to_string(messages[0].kind()));
  }
}

}  // namespace

void ProcessGroup::require_allowed(Kind kind) const {
  if (allowed_.has(kind)) return;
  fail(ErrorCategory::Internal, "a process is about to tell {}, but the contract between processes allows {}",
       to_string(kind), allowed_.text());
}

void ProcessGroup::agree(const std::function<void()>& work) {
  require_allowed(Kind::failures);
  const Message mine = outcome_of(work);
  std::vector<Message> outcomes;
  try {
    outcomes = exchange(mine);
  } catch (const Error&) {
    if (!is_failure(mine)) throw;
    outcomes = {mine};  // the loss that broke the group is why it cannot tell any more
  }
  for (const Message& outcome : outcomes) {
    if (!is_failure(outcome)) continue;
    failed_together_ = true;
    throw to_error(outcome);
  }
}

void ProcessGroup::count(const Message& mine) {
  const auto others = static_cast<std::uint64_t>(size() - 1);
  if (others > 0) engine_.told()[mine.kind()] += {.messages = others, .bytes = others * encoded_size(mine)};
}

std::vector<Message> ProcessGroup::exchange(const Message& mine) {
  count(mine);
  // If it throws, a process is lost, and all others learn it here.
  return read_together([&] {
    std::vector<Message> messages = engine_.tell_all(mine);
    require_same_kind(messages);
    return messages;
  });
}

}  // namespace choir
