// ColumnFunctions for AVX-512F. Compiled with those instructions: include no header with shared inline code.
#include "choir/kernel/simd/column_loops.h"

const choir::ColumnTables choir::simd::avx512 = choir::tables();
