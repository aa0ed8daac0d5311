// ColumnFunctions for any processor: SSE2 on x86-64, one value at a time elsewhere.
#include "choir/kernel/simd/column_loops.h"

const choir::ColumnTables choir::simd::baseline = choir::tables();
