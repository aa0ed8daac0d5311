// Any bytes either open as an archive within the limits, or are refused as bad data.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "choir/base/error.h"
#include "choir/codec/archive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr choir::ArchiveLimits limits{.max_total_bytes = 1 << 20, .max_entries = 100};
  try {
    const choir::Archive archive = choir::read_archive(std::as_bytes(std::span(data, size)), "fuzz", limits);
    std::uint64_t total = 0;
    for (const choir::ArchiveEntry& entry : archive) total += entry.bytes.size();
    if (archive.size() > limits.max_entries || total > limits.max_total_bytes) std::abort();
  } catch (const choir::Error& error) {
    if (error.category() != choir::ErrorCategory::BadData) std::abort();
  }
  return 0;
}
