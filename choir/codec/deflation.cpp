#include "choir/codec/deflation.h"

#include <algorithm>
#include <vector>

#include <zlib.h>

#include "choir/base/error.h"

namespace choir {
namespace {

constexpr std::size_t sample_bytes = std::size_t{1} << 16;
constexpr double largest_share = 0.8;  // that is left of what is worth deflating

std::span<const std::byte> middle_of(std::span<const std::byte> bytes) {
  const std::size_t size = std::min(bytes.size(), sample_bytes);
  return bytes.subspan((bytes.size() - size) / 2, size);
}

std::size_t deflated_size(std::span<const std::byte> bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::vector<Bytef> deflated(size);
  const int status = compress2(deflated.data(), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                               static_cast<uLong>(bytes.size()), Z_BEST_SPEED);
  if (status != Z_OK)
    fail(ErrorCategory::Internal, "zlib could not deflate {} bytes ({})", bytes.size(), status);
  return size;
}

}  // namespace

bool is_worth_deflating(std::span<const std::byte> bytes) {
  const std::span<const std::byte> sample = middle_of(bytes);
  return static_cast<double>(deflated_size(sample)) < largest_share * static_cast<double>(sample.size());
}

}  // namespace choir
