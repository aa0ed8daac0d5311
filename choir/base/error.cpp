#include "choir/base/error.h"

#include <new>
#include <utility>

#include "choir/base/word_of.h"

namespace choir {

constexpr std::string_view category_words[] = {"invalid argument", "bad data",  "input/output",
                                               "out of memory",    "numerical", "unavailable",
                                               "peer lost",        "cancelled", "internal"};

std::string_view to_string(ErrorCategory category) {
  return word_of<ErrorCategory::Internal>(category, category_words);
}

Error::Error(ErrorCategory category, std::string message)
    : category_(category), message_(std::move(message)), chain_(message_) {}

Error::Error(ErrorCategory category, std::string message, const Error& cause)
    : category_(category),
      message_(std::move(message)),
      cause_(std::make_shared<Error>(cause)),
      chain_(message_ + ": " + cause.what()) {}

Error current_error() {
  try {
    throw;
  } catch (const Error& error) {
    // Whoever noticed the interrupt, only the program knows what it means.
    if (error.category() != ErrorCategory::Cancelled) return error;
    return Error(ErrorCategory::Cancelled, "interrupted; nothing was written");
  } catch (const std::bad_alloc&) {
    return Error(ErrorCategory::OutOfMemory,
                 "out of memory; use fewer samples, landmarks (--n-landmarks) or --precision float32");
  } catch (const std::exception& error) {
    return Error(ErrorCategory::Internal, fmt::format("unexpected: {}", error.what()));
  }
}

}  // namespace choir
