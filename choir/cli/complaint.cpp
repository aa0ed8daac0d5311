#include "choir/cli/complaint.h"

#include <cstdio>
#include <exception>
#include <new>

#include <fmt/format.h>

namespace choir::cli {

// In one piece, so that the sentences of several processes do not mix.
void complain(const std::string& sentence) {
  std::fputs(fmt::format("choir: {}\n", sentence).c_str(), stderr);
  std::fflush(stderr);
}

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

}  // namespace choir::cli
