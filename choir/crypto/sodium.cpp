#include "choir/crypto/sodium.h"

#include "choir/base/error.h"

namespace choir {

void require_sodium() {
  static const bool ready = sodium_init() >= 0;  // once a process, whichever thread comes first
  if (!ready) {
    throw Error(ErrorCategory::Unavailable,
                "libsodium cannot start: the system gives no random numbers; check that getrandom or "
                "/dev/urandom works for this process");
  }
}

}  // namespace choir
