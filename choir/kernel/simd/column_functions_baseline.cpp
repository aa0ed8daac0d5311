// ColumnFunctions for any processor: SSE2 on x86-64, one value at a time elsewhere.
#if defined(__SSE2__)
#include <sleef.h>
#else
#include <cmath>
#endif

namespace choir {
namespace {

template <class Scalar>
struct Vector;

#if defined(__SSE2__)

template <>
struct Vector<double> {
  using Type = __m128d;
  static Type exp(Type v) { return Sleef_expd2_u10sse2(v); }
  static Type tanh(Type v) { return Sleef_tanhd2_u10sse2(v); }
  static Type cos(Type v) { return Sleef_cosd2_u10sse2(v); }
  static Type abs(Type v) { return _mm_andnot_pd(_mm_set1_pd(-0.0), v); }
};

template <>
struct Vector<float> {
  using Type = __m128;
  static Type exp(Type v) { return Sleef_expf4_u10sse2(v); }
  static Type tanh(Type v) { return Sleef_tanhf4_u10sse2(v); }
  static Type cos(Type v) { return Sleef_cosf4_u10sse2(v); }
  static Type abs(Type v) { return _mm_andnot_ps(_mm_set1_ps(-0.0F), v); }
};

#else

template <class Scalar>
struct Vector {
  using Type = Scalar;
  static Type exp(Type v) { return std::exp(v); }
  static Type tanh(Type v) { return std::tanh(v); }
  static Type cos(Type v) { return std::cos(v); }
  static Type abs(Type v) { return std::abs(v); }
};

#endif

}  // namespace
}  // namespace choir

#include "choir/kernel/simd/column_loops.h"

namespace choir::simd {

const ColumnFunctions<double> baseline_double = table<double>();
const ColumnFunctions<float> baseline_float = table<float>();

}  // namespace choir::simd
