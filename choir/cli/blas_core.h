// Debian's OpenBLAS chooses its kernels by the processor's model number. A processor that is newer than the
// library gets those of 2004, at a fifth of the speed. The program then starts itself again with
// OPENBLAS_CORETYPE, which OpenBLAS reads while it is loaded: later is too late.
//
//   int main(int argc, char** argv) {
//     restart_with_fast_blas(argv);
#pragma once

#include <string_view>

namespace choir::cli {

// What the processor can do, as far as kernels differ by it.
struct VectorUnits {
  bool avx2 = false;    // with fused multiply-add
  bool avx512 = false;  // what servers have had since 2017: foundation, byte and word, doubleword and
                        // quadword, vector length
};
VectorUnits vector_units();

// The kernels to ask for instead of those that were chosen; empty: those are right.
std::string_view better_core(std::string_view chosen, const VectorUnits& units);

// Does not return if it starts the program again. A user's own OPENBLAS_CORETYPE is left alone.
void restart_with_fast_blas(char** arguments);

}  // namespace choir::cli
