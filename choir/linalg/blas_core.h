// Debian's OpenBLAS chooses its kernels by the processor's model number. A processor that is newer than the
// library gets those of 2004, at a fifth of the speed. OPENBLAS_CORETYPE, which OpenBLAS reads while it is
// loaded, mends that: later is too late. The program `choir` starts itself again with it; others say
//
//   const std::string_view core = better_blas_core(blas_core(), vector_units());
//   if (!core.empty()) setenv("OPENBLAS_CORETYPE", std::string(core).c_str(), 1);   // and exec
#pragma once

#include <string_view>

namespace choir {

// What the processor can do, as far as kernels differ by it.
struct VectorUnits {
  bool avx2 = false;    // with fused multiply-add
  bool avx512 = false;  // what servers have had since 2017: foundation, byte and word, doubleword and
                        // quadword, vector length
};
VectorUnits vector_units();

// The kernels to ask for instead of those that were chosen; empty: those are right.
std::string_view better_blas_core(std::string_view chosen, const VectorUnits& units);

}  // namespace choir
