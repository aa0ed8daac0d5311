// ColumnFunctions for AVX2 with FMA. Compiled with those instructions: include no header with shared inline
// code.
#include <sleef.h>

namespace choir {
namespace {

template <class Scalar>
struct Vector;

template <>
struct Vector<double> {
  using Type = __m256d;
  static Type exp(Type v) { return Sleef_expd4_u10avx2(v); }
  static Type tanh(Type v) { return Sleef_tanhd4_u10avx2(v); }
  static Type cos(Type v) { return Sleef_cosd4_u10avx2(v); }
  static Type abs(Type v) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), v); }
};

template <>
struct Vector<float> {
  using Type = __m256;
  static Type exp(Type v) { return Sleef_expf8_u10avx2(v); }
  static Type tanh(Type v) { return Sleef_tanhf8_u10avx2(v); }
  static Type cos(Type v) { return Sleef_cosf8_u10avx2(v); }
  static Type abs(Type v) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), v); }
};

}  // namespace
}  // namespace choir

#include "choir/kernel/simd/column_loops.h"

namespace choir::simd {

const ColumnFunctions<double> avx2_double = table<double>();
const ColumnFunctions<float> avx2_float = table<float>();

}  // namespace choir::simd
