// ColumnFunctions for AVX-512F. Compiled with those instructions: include no header with shared inline code.
#include <sleef.h>

namespace choir {
namespace {

template <class Scalar>
struct Vector;

template <>
struct Vector<double> {
  using Type = __m512d;
  static Type exp(Type v) { return Sleef_expd8_u10avx512f(v); }
  static Type tanh(Type v) { return Sleef_tanhd8_u10avx512f(v); }
  static Type cos(Type v) { return Sleef_cosd8_u10avx512f(v); }
  static Type abs(Type v) { return _mm512_abs_pd(v); }
};

template <>
struct Vector<float> {
  using Type = __m512;
  static Type exp(Type v) { return Sleef_expf16_u10avx512f(v); }
  static Type tanh(Type v) { return Sleef_tanhf16_u10avx512f(v); }
  static Type cos(Type v) { return Sleef_cosf16_u10avx512f(v); }
  static Type abs(Type v) { return _mm512_abs_ps(v); }
};

}  // namespace
}  // namespace choir

#include "choir/kernel/simd/column_loops.h"

namespace choir::simd {

const ColumnFunctions<double> avx512_double = table<double>();
const ColumnFunctions<float> avx512_float = table<float>();

}  // namespace choir::simd
