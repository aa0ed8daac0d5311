#include "choir/linalg/blas_core.h"

#include <algorithm>
#include <array>

namespace choir {
namespace {

// Kernels without AVX, which OpenBLAS takes if it does not know better.
constexpr std::array<std::string_view, 4> old_cores = {"Prescott", "Core2", "Penryn", "Nehalem"};

}  // namespace

VectorUnits vector_units() {
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  const bool avx512 = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
                      __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  return {.avx2 = avx2, .avx512 = avx512};
#else
  return {};
#endif
}

std::string_view better_blas_core(std::string_view chosen, const VectorUnits& units) {
  if (std::ranges::find(old_cores, chosen) == old_cores.end()) return {};
  if (units.avx512) return "SkylakeX";
  return units.avx2 ? "Haswell" : "";
}

}  // namespace choir
