#include "choir/cli/blas_core.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include <unistd.h>

#include "choir/linalg/blas.h"

namespace choir::cli {
namespace {

constexpr const char* variable = "OPENBLAS_CORETYPE";
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

std::string_view better_core(std::string_view chosen, const VectorUnits& units) {
  if (std::ranges::find(old_cores, chosen) == old_cores.end()) return {};
  if (units.avx512) return "SkylakeX";
  return units.avx2 ? "Haswell" : "";
}

void restart_with_fast_blas(char** arguments) {
  if (std::getenv(variable) != nullptr) return;
  const std::string core(better_core(blas_core(), vector_units()));
  if (core.empty() || setenv(variable, core.c_str(), 1) != 0) return;
  execv("/proc/self/exe", arguments);  // returns only if it failed: then slowly
}

}  // namespace choir::cli
