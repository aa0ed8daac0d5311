// What the fuzz targets of the data room share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

#include "choir/base/error.h"
#include "choir/data/dataset.h"

namespace choir {

inline constexpr std::uint64_t fuzz_memory = std::uint64_t{1} << 24;

// Any content is fine as long as it is read or refused with a sentence.
template <class Read>
void read_or_refuse(Read read) {
  try {
    const Dataset dataset = read();
    if (dataset.size() == 0 || dataset.features() == 0) std::abort();
    if (!dataset.labels.empty() && std::ssize(dataset.labels) != dataset.size()) std::abort();
    if (!dataset.keys.empty() && std::ssize(dataset.keys) != dataset.size()) std::abort();
  } catch (const Error& error) {
    if (error.category() == ErrorCategory::Internal || error.message().empty()) std::abort();
  }
}

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// A file in memory for libraries that only read files; a path of the shape they expect.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || ::write(descriptor_, data, size) != static_cast<ssize_t>(size)) std::abort();
    path_ = "/proc/self/fd/" + std::to_string(descriptor_);
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace choir
