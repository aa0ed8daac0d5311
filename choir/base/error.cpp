#include "choir/base/error.h"

#include <utility>

namespace choir {

std::string_view to_string(ErrorCategory category) {
  switch (category) {
    case ErrorCategory::InvalidArgument:
      return "invalid argument";
    case ErrorCategory::BadData:
      return "bad data";
    case ErrorCategory::Io:
      return "input/output";
    case ErrorCategory::OutOfMemory:
      return "out of memory";
    case ErrorCategory::Numerical:
      return "numerical";
    case ErrorCategory::Unavailable:
      return "unavailable";
    case ErrorCategory::PeerLost:
      return "peer lost";
    case ErrorCategory::Cancelled:
      return "cancelled";
    case ErrorCategory::Internal:
      return "internal";
  }
  return "unknown";
}

Error::Error(ErrorCategory category, std::string message)
    : category_(category), message_(std::move(message)), chain_(message_) {}

Error::Error(ErrorCategory category, std::string message, const Error& cause)
    : category_(category),
      message_(std::move(message)),
      cause_(std::make_shared<Error>(cause)),
      chain_(message_ + ": " + cause.what()) {}

}  // namespace choir
