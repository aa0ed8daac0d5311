// Vectors of the largest instructions that the including file is compiled for, in an unnamed namespace of
// choir:
//
//   template <> struct Vector<double> { using Type = __m512d; static Type exp(Type); tanh, cos, abs };
//
// and the same for float. Without any, a vector has one value.
#pragma once

#if defined(__SSE2__)
#include <sleef.h>
#else
#include <cmath>
#endif

namespace choir {
namespace {

#if defined(__SSE2__)
template <class Scalar>
struct Vector;
#endif

#if defined(__AVX512F__)

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

#elif defined(__AVX2__)

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

#elif defined(__SSE2__)

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
