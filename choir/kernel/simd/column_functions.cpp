#include "choir/kernel/simd/column_functions.h"

#include <initializer_list>

namespace choir {
namespace {

// The tables that exist in this build, by scalar.
template <class Scalar>
struct Tables;

template <>
struct Tables<double> {
  static constexpr const ColumnFunctions<double>* baseline = &simd::baseline_double;
#if defined(CHOIR_X86_VECTORS)
  static constexpr const ColumnFunctions<double>* avx2 = &simd::avx2_double;
  static constexpr const ColumnFunctions<double>* avx512 = &simd::avx512_double;
#endif
};

template <>
struct Tables<float> {
  static constexpr const ColumnFunctions<float>* baseline = &simd::baseline_float;
#if defined(CHOIR_X86_VECTORS)
  static constexpr const ColumnFunctions<float>* avx2 = &simd::avx2_float;
  static constexpr const ColumnFunctions<float>* avx512 = &simd::avx512_float;
#endif
};

}  // namespace

template <class Scalar>
const ColumnFunctions<Scalar>* column_functions(InstructionSet set) {
  if (set == InstructionSet::baseline) return Tables<Scalar>::baseline;
#if defined(CHOIR_X86_VECTORS)
  if (set == InstructionSet::avx2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return Tables<Scalar>::avx2;
  }
  if (set == InstructionSet::avx512 && __builtin_cpu_supports("avx512f")) return Tables<Scalar>::avx512;
#endif
  return nullptr;
}

template <class Scalar>
const ColumnFunctions<Scalar>& column_functions() {
  for (const auto set : {InstructionSet::avx512, InstructionSet::avx2}) {
    if (const auto* table = column_functions<Scalar>(set)) return *table;
  }
  return *Tables<Scalar>::baseline;
}

template const ColumnFunctions<double>* column_functions<double>(InstructionSet);
template const ColumnFunctions<float>* column_functions<float>(InstructionSet);
template const ColumnFunctions<double>& column_functions<double>();
template const ColumnFunctions<float>& column_functions<float>();

}  // namespace choir
