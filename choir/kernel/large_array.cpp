#include "choir/kernel/large_array.h"

#include <cstdlib>

#include <sys/mman.h>

#include "choir/base/error.h"
#include "choir/base/text.h"

namespace choir {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

}  // namespace

template <class Scalar>
std::shared_ptr<Scalar[]> large_array(Index count) {
  const std::size_t wanted = static_cast<std::size_t>(count) * sizeof(Scalar);
  const std::size_t alignment = wanted >= kHugePage ? kHugePage : kCacheLine;
  const std::size_t bytes = (wanted + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, bytes > 0 ? bytes : alignment);
  if (memory == nullptr) {
    fail(ErrorCategory::OutOfMemory,
         "no memory for an array of {}; use fewer samples, landmarks or single precision",
         human_bytes(static_cast<double>(bytes)));
  }
#if defined(MADV_HUGEPAGE)
  // Only a wish: without huge pages everything works, slower.
  if (alignment == kHugePage) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return std::shared_ptr<Scalar[]>(static_cast<Scalar*>(memory), std::free);
}

template std::shared_ptr<double[]> large_array<double>(Index);
template std::shared_ptr<float[]> large_array<float>(Index);

}  // namespace choir
