#include "choir/kernel/simd/column_functions.h"

#include <initializer_list>
#include <type_traits>

namespace choir {
namespace {

template <class Scalar>
const ColumnFunctions<Scalar>* table_in(const ColumnTables& tables) {
  if constexpr (std::is_same_v<Scalar, double>) {
    return &tables.of_double;
  } else {
    return &tables.of_float;
  }
}

}  // namespace

template <class Scalar>
const ColumnFunctions<Scalar>* column_functions(InstructionSet set) {
  if (set == InstructionSet::baseline) return table_in<Scalar>(simd::baseline);
#if defined(CHOIR_X86_VECTORS)
  if (set == InstructionSet::avx2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return table_in<Scalar>(simd::avx2);
  }
  if (set == InstructionSet::avx512 && __builtin_cpu_supports("avx512f"))
    return table_in<Scalar>(simd::avx512);
#endif
  return nullptr;
}

template <class Scalar>
const ColumnFunctions<Scalar>& column_functions() {
  for (const auto set : {InstructionSet::avx512, InstructionSet::avx2}) {
    if (const auto* table = column_functions<Scalar>(set)) return *table;
  }
  return *table_in<Scalar>(simd::baseline);
}

template const ColumnFunctions<double>* column_functions<double>(InstructionSet);
template const ColumnFunctions<float>* column_functions<float>(InstructionSet);
template const ColumnFunctions<double>& column_functions<double>();
template const ColumnFunctions<float>& column_functions<float>();

}  // namespace choir
