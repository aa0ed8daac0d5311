// What the fuzz targets of the data room share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "choir/base/error.h"
#include "choir/data/dataset.h"
#include "choir/data/row_source.h"
#include "choir/data/text_window.h"

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

// A window so small that most lines cross its edge.
inline TextWindow narrow_window(const MemoryFile& file) {
  return TextWindow(FileReader(file.path()), {.first = 16, .limit = std::size_t{1} << 20});
}

// All samples of a source, a few at a time; nothing if it is refused with a sentence.
template <class Open>
std::optional<Samples> rows_or_refusal(Open open) {
  constexpr Index at_once = 3;
  try {
    const std::unique_ptr<RowSource> source = open();
    const Index features = source->features();
    if (features < 1) std::abort();
    Samples all(features, 0);
    std::vector<double> targets(at_once);
    for (Index got = at_once; got == at_once;) {
      const Index before = all.cols();
      all.conservativeResize(features, before + at_once);
      double* const begin = all.data() + before * features;
      got = source->read(at_once, {begin, static_cast<std::size_t>(at_once * features)}, targets);
      all.conservativeResize(features, before + got);
    }
    if (!all.allFinite() || all.cols() == 0 || source->skip(1) != 0) std::abort();
    return all;
  } catch (const Error& error) {
    if (error.category() == ErrorCategory::Internal || error.message().empty()) std::abort();
    return std::nullopt;
  }
}

}  // namespace choir
