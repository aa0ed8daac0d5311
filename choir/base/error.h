// What choir throws: a category for programs, one sentence for people, and what caused it.
//
//   throw Error(ErrorCategory::InvalidArgument, "gamma is -1; it must be positive");
//   fail(ErrorCategory::BadData, "{}: row {} has {} columns, row 1 has {}", path, row, got, expected);
//   try { load(path); } catch (const Error& cause) {
//     throw Error(cause.category(), "cannot read the model", cause);     // "cannot read the model: ..."
//   }
//
// A message has three parts: what is wrong, where, what to do.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace choir {

enum class ErrorCategory {
  InvalidArgument,  // an option or argument out of its range
  BadData,          // a file or array whose content cannot be used
  Io,               // a file that cannot be opened, written or renamed
  OutOfMemory,      // a run that would not fit
  Numerical,        // a factorisation that failed
  Unavailable,      // an outside tool or network that is missing
  PeerLost,         // a node that did not answer
  Cancelled,        // the caller asked to stop
  Internal,         // a promise inside choir was broken
};

std::string_view to_string(ErrorCategory category);
constexpr ErrorCategory last_value(ErrorCategory) { return ErrorCategory::Internal; }

class Error : public std::exception {
 public:
  Error(ErrorCategory category, std::string message);
  Error(ErrorCategory category, std::string message, const Error& cause);

  ErrorCategory category() const { return category_; }
  // This link of the chain alone.
  const std::string& message() const { return message_; }
  // The error that led to this one, or null.
  const Error* cause() const { return cause_.get(); }
  // The whole chain: "message: cause: cause of the cause".
  const char* what() const noexcept override { return chain_.c_str(); }

 private:
  ErrorCategory category_;
  std::string message_;
  std::shared_ptr<const Error> cause_;
  std::string chain_;
};

// The exception that is being handled, in words for the program's user, whatever its type.
Error current_error();

template <class... Args>
[[noreturn]] void fail(ErrorCategory category, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(category, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace choir
