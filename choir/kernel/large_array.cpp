#include "choir/kernel/large_array.h"

#include <cstdlib>

#include "choir/base/error.h"
#include "choir/base/text.h"

namespace choir {
namespace {

constexpr std::size_t cache_line = 64;

}  // namespace

template <class Scalar>
std::shared_ptr<Scalar[]> large_array(Index count) {
  const std::size_t wanted = static_cast<std::size_t>(count) * sizeof(Scalar);
  const std::size_t bytes = (wanted / cache_line + 1) * cache_line;
  void* memory = std::aligned_alloc(cache_line, bytes);
  if (memory == nullptr) {
    fail(ErrorCategory::OutOfMemory,
         "no memory for an array of {}; use fewer samples, landmarks or single precision",
         human_bytes(static_cast<double>(bytes)));
  }
  return std::shared_ptr<Scalar[]>(static_cast<Scalar*>(memory), std::free);
}

template std::shared_ptr<double[]> large_array<double>(Index);
template std::shared_ptr<float[]> large_array<float>(Index);

}  // namespace choir
