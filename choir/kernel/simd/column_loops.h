// The loops behind ColumnFunctions, over vectors of whatever width the including file is compiled for.
// Everything here is in an unnamed namespace: each file gets its own copy, compiled for its own instructions.
// The end of a column goes through the same vector code as the rest.
#pragma once

#include "choir/kernel/simd/column_functions.h"
#include "choir/kernel/simd/vectors.h"

namespace choir {
namespace {

using Size = std::ptrdiff_t;

template <class Scalar>
using Vec = typename Vector<Scalar>::Type;

template <class Scalar>
constexpr Size lanes_at_once = static_cast<Size>(sizeof(Vec<Scalar>) / sizeof(Scalar));

template <class Scalar>
Vec<Scalar> all(Scalar value) {
  return Vec<Scalar>{} + value;
}

template <class Scalar>
Vec<Scalar> load(const Scalar* from) {
  Vec<Scalar> v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}

template <class Scalar>
Vec<Scalar> load(const Scalar* from, Size count) {
  Vec<Scalar> v{};
  __builtin_memcpy(&v, from, static_cast<std::size_t>(count) * sizeof(Scalar));
  return v;
}

template <class Scalar>
void store(Scalar* to, Vec<Scalar> v, Size count = lanes_at_once<Scalar>) {
  __builtin_memcpy(to, &v, static_cast<std::size_t>(count) * sizeof(Scalar));
}

// column[i] = function(column[i])
template <class Scalar, class Function>
void map(Size n, Scalar* column, Function function) {
  Size i = 0;
  for (; i + lanes_at_once<Scalar> <= n; i += lanes_at_once<Scalar>)
    store(column + i, function(load(column + i)));
  if (i < n) store(column + i, function(load(column + i, n - i)), n - i);
}

// column[i] = function(column[i], other[i])
template <class Scalar, class Function>
void map(Size n, Scalar* column, const Scalar* other, Function function) {
  Size i = 0;
  for (; i + lanes_at_once<Scalar> <= n; i += lanes_at_once<Scalar>) {
    store(column + i, function(load(column + i), load(other + i)));
  }
  if (i < n) store(column + i, function(load(column + i, n - i), load(other + i, n - i)), n - i);
}

// max(0, v); a NaN stays one.
template <class Scalar>
Vec<Scalar> positive(Vec<Scalar> v) {
  return v < Vec<Scalar>{} ? Vec<Scalar>{} : v;
}

template <class Scalar>
void rbf(Size n, Scalar* column, const Scalar* norms, Scalar norm, Scalar gamma) {
  using V = Vec<Scalar>;
  const V minus_gamma = all(-gamma), own = all(norm), two = all(Scalar{2});
  map(n, column, norms, [=](V product, V other) {
    return Vector<Scalar>::exp(minus_gamma * positive<Scalar>(other + own - two * product));
  });
}

template <class Scalar>
void laplacian(Size n, Scalar* column, Scalar gamma) {
  using V = Vec<Scalar>;
  const V minus_gamma = all(-gamma);
  map(n, column, [=](V distance) { return Vector<Scalar>::exp(minus_gamma * distance); });
}

template <class Scalar>
void sigmoid(Size n, Scalar* column, Scalar gamma, Scalar coef0) {
  using V = Vec<Scalar>;
  const V slope = all(gamma), shift = all(coef0);
  map(n, column, [=](V product) { return Vector<Scalar>::tanh(slope * product + shift); });
}

// By repeated squaring: the highest bit of the degree first.
template <class Scalar>
void poly(Size n, Scalar* column, Scalar gamma, Scalar coef0, int degree) {
  using V = Vec<Scalar>;
  const V slope = all(gamma), shift = all(coef0);
  int highest = 1;
  while (highest <= degree / 2) highest *= 2;
  map(n, column, [=](V product) {
    const V base = slope * product + shift;
    V power = base;
    for (int bit = highest / 2; bit > 0; bit /= 2) {
      power *= power;
      if (degree & bit) power *= base;
    }
    return power;
  });
}

template <class Scalar>
void scale(Size n, Scalar* column, const Scalar* factors, Scalar factor) {
  using V = Vec<Scalar>;
  const V own = all(factor);
  map(n, column, factors, [=](V value, V other) { return value * (other * own); });
}

template <class Scalar>
void cosine(Size n, Scalar* column, const Scalar* phases, Scalar factor) {
  using V = Vec<Scalar>;
  const V amplitude = all(factor);
  map(n, column, phases, [=](V value, V phase) { return amplitude * Vector<Scalar>::cos(value + phase); });
}

template <class Scalar>
double add_to(Size n, const Scalar* column, double* sums) {
  constexpr Size lanes = 8;  // independent partial sums; the compiler makes vectors of them
  double partial[lanes] = {};
  Size i = 0;
  for (; i + lanes <= n; i += lanes) {
    for (Size k = 0; k < lanes; ++k) {
      const double value = column[i + k];
      partial[k] += value;
      sums[i + k] += value;
    }
  }
  for (; i < n; ++i) {
    partial[0] += column[i];
    sums[i] += column[i];
  }
  for (Size k = 1; k < lanes; ++k) partial[0] += partial[k];
  return partial[0];
}

template <class Scalar>
Scalar sum(Vec<Scalar> v) {
  Scalar values[lanes_at_once<Scalar>];
  store(values, v);
  Scalar total = values[0];
  for (Size k = 1; k < lanes_at_once<Scalar>; ++k) total += values[k];
  return total;
}

// Distances of Rows x Columns pairs at once, so that each load serves several of them.
template <Size Rows, Size Columns, class Scalar>
void l1_block(Size features, const Scalar* x, Size x_stride, const Scalar* y, Size y_stride, Scalar* tile,
              Size tile_stride) {
  using V = Vec<Scalar>;
  V distance[Rows][Columns] = {};
  const auto add = [&](Size m, auto... count) {
    V xs[Rows];
    for (Size i = 0; i < Rows; ++i) xs[i] = load(x + i * x_stride + m, count...);
    for (Size j = 0; j < Columns; ++j) {
      const V ys = load(y + j * y_stride + m, count...);
      for (Size i = 0; i < Rows; ++i) distance[i][j] += Vector<Scalar>::abs(xs[i] - ys);
    }
  };
  Size m = 0;
  for (; m + lanes_at_once<Scalar> <= features; m += lanes_at_once<Scalar>) add(m);
  if (m < features) add(m, features - m);
  for (Size j = 0; j < Columns; ++j) {
    for (Size i = 0; i < Rows; ++i) tile[i + j * tile_stride] = sum<Scalar>(distance[i][j]);
  }
}

template <class Scalar>
void l1_distances(Size features, Size rows, const Scalar* x, Size x_stride, Size columns, const Scalar* y,
                  Size y_stride, Scalar* tile, Size tile_stride) {
  constexpr Size high = 4, wide = 2;
  const auto block = [&]<Size Rows, Size Columns>(Size i, Size j) {
    l1_block<Rows, Columns>(features, x + i * x_stride, x_stride, y + j * y_stride, y_stride,
                            tile + i + j * tile_stride, tile_stride);
  };
  const auto strip = [&]<Size Rows>(Size i) {
    Size j = 0;
    for (; j + wide <= columns; j += wide) block.template operator()<Rows, wide>(i, j);
    for (; j < columns; ++j) block.template operator()<Rows, 1>(i, j);
  };
  Size i = 0;
  for (; i + high <= rows; i += high) strip.template operator()<high>(i);
  for (; i < rows; ++i) strip.template operator()<1>(i);
}

// Products of Rows vectors with Columns columns stay in registers until they meet the tile. `count`: lanes of
// the last vector, if not all.
template <Size Rows, Size Columns, class Scalar, class... Count>
void product_block(Size rank, const Scalar* x, Size x_stride, const Scalar* y, Size y_stride, Scalar* tile,
                   Size tile_stride, Count... count) {
  using V = Vec<Scalar>;
  V products[Rows][Columns] = {};
  for (Size k = 0; k < rank; ++k) {
    V xs[Rows];
    for (Size i = 0; i < Rows; ++i) xs[i] = load(x + i * lanes_at_once<Scalar> + k * x_stride, count...);
    for (Size j = 0; j < Columns; ++j) {
      const V ys = all(y[k + j * y_stride]);
      for (Size i = 0; i < Rows; ++i) products[i][j] += xs[i] * ys;
    }
  }
  for (Size j = 0; j < Columns; ++j) {
    for (Size i = 0; i < Rows; ++i) {
      Scalar* place = tile + i * lanes_at_once<Scalar> + j * tile_stride;
      store(place, load(place, count...) * products[i][j], count...);
    }
  }
}

template <class Scalar>
void times_products(Size rank, Size rows, const Scalar* x, Size x_stride, Size columns, const Scalar* y,
                    Size y_stride, Scalar* tile, Size tile_stride) {
  constexpr Size high = 2, wide = 6;
  const auto strip = [&]<Size Rows>(Size i, auto... count) {
    const auto block = [&]<Size Columns>(Size j) {
      product_block<Rows, Columns>(rank, x + i, x_stride, y + j * y_stride, y_stride,
                                   tile + i + j * tile_stride, tile_stride, count...);
    };
    Size j = 0;
    for (; j + wide <= columns; j += wide) block.template operator()<wide>(j);
    for (; j < columns; ++j) block.template operator()<1>(j);
  };
  constexpr Size lanes = lanes_at_once<Scalar>;
  Size i = 0;
  for (; i + high * lanes <= rows; i += high * lanes) strip.template operator()<high>(i);
  for (; i + lanes <= rows; i += lanes) strip.template operator()<1>(i);
  if (i < rows) strip.template operator()<1>(i, rows - i);
}

template <class Scalar>
constexpr ColumnFunctions<Scalar> table_of() {
  return {rbf<Scalar>,    laplacian<Scalar>, sigmoid<Scalar>,      poly<Scalar>,          scale<Scalar>,
          cosine<Scalar>, add_to<Scalar>,    l1_distances<Scalar>, times_products<Scalar>};
}

constexpr ColumnTables tables() { return {.of_double = table_of<double>(), .of_float = table_of<float>()}; }

}  // namespace
}  // namespace choir
