// ColumnFunctions for AVX2 with FMA. Compiled with those instructions: include no header with shared inline
// code.
#include "choir/kernel/simd/column_loops.h"

const choir::ColumnTables choir::simd::avx2 = choir::tables();
