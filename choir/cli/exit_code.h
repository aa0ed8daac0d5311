// What the program's exit code says.
#pragma once

#include "choir/base/error.h"

namespace choir::cli {

enum ExitCode { ok = 0, bad_input = 2, not_converged = 3, peers_lost = 4, interrupted = 130 };

inline ExitCode exit_code_of(const Error& error) {
  switch (error.category()) {
    case ErrorCategory::PeerLost:
      return peers_lost;
    case ErrorCategory::Cancelled:
      return interrupted;
    default:
      return bad_input;
  }
}

}  // namespace choir::cli
