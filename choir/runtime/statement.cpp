#include "choir/runtime/statement.h"

namespace choir::detail {

std::span<const std::byte> statement_bytes(const Message& message) {
  if (message.arrays().size() != 1 || !message.integers().empty() || !message.numbers().empty()) {
    fail(ErrorCategory::BadData, "a message of kind {} is no statement", to_string(message.kind()));
  }
  return message.array(0).bytes_view();
}

void require_statement_version(std::uint8_t version) {
  if (version == statement_version) return;
  fail(ErrorCategory::BadData, "a process speaks format {}; this choir reads format {}", version,
       statement_version);
}

}  // namespace choir::detail
