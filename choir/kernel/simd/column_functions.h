// The inner loops of a kernel matrix, one column of a tile at a time, compiled once per instruction set.
//
//   const auto& run = column_functions<double>();            // the best this processor has
//   run.rbf(rows, column, norms, norm, gamma);               // x'y in, exp(-gamma ||x - y||^2) out
//
// Each value depends only on its own inputs, never on its place in the column, so tiles may be cut anywhere.
// The files behind this are compiled with instructions that not every processor has; they include nothing
// whose inline functions the linker could share with the rest of the program.
#pragma once

#include <cstddef>

namespace choir {

template <class Scalar>
struct ColumnFunctions {
  using Size = std::ptrdiff_t;
  // column[i] = exp(-gamma max(0, norms[i] + norm - 2 column[i]))
  void (*rbf)(Size n, Scalar* column, const Scalar* norms, Scalar norm, Scalar gamma);
  // column[i] = exp(-gamma column[i])
  void (*laplacian)(Size n, Scalar* column, Scalar gamma);
  // column[i] = tanh(gamma column[i] + coef0)
  void (*sigmoid)(Size n, Scalar* column, Scalar gamma, Scalar coef0);
  // column[i] = (gamma column[i] + coef0)^degree, degree >= 1
  void (*poly)(Size n, Scalar* column, Scalar gamma, Scalar coef0, int degree);
  // column[i] *= factors[i] factor
  void (*scale)(Size n, Scalar* column, const Scalar* factors, Scalar factor);
  // column[i] = factor cos(column[i] + phases[i])
  void (*cosine)(Size n, Scalar* column, const Scalar* phases, Scalar factor);
  // sums[i] += column[i]; returns the sum of the column.
  double (*add_to)(Size n, const Scalar* column, double* sums);
  // tile(i, j) = sum_m |x(m, i) - y(m, j)|; x is features x rows, y is features x columns, tile has rows
  // rows; strides are between columns.
  void (*l1_distances)(Size features, Size rows, const Scalar* x, Size x_stride, Size columns,
                       const Scalar* y, Size y_stride, Scalar* tile, Size tile_stride);
  // tile(i, j) *= sum_k x(i, k) y(k, j); x is rows x rank, y is rank x columns.
  void (*times_products)(Size rank, Size rows, const Scalar* x, Size x_stride, Size columns, const Scalar* y,
                         Size y_stride, Scalar* tile, Size tile_stride);
};

enum class InstructionSet { baseline, avx2, avx512 };

// Null if this build or this processor does not have the instructions; baseline is always there.
template <class Scalar>
const ColumnFunctions<Scalar>* column_functions(InstructionSet set);

// The best one there is.
template <class Scalar>
const ColumnFunctions<Scalar>& column_functions();

// One per file; use the functions above.
struct ColumnTables {
  ColumnFunctions<double> of_double;
  ColumnFunctions<float> of_float;
};
namespace simd {
extern const ColumnTables baseline, avx2, avx512;
}

}  // namespace choir
