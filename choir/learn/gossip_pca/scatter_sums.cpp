#include "choir/learn/gossip_pca/scatter_sums.h"

#include <algorithm>

namespace choir::gossip_pca {
namespace {

ScatterSums sums_about(const Matrix& shifted) {
  ScatterSums sums;
  sums.samples = static_cast<double>(shifted.cols());
  sums.squares = shifted.squaredNorm();
  sums.sum = shifted.cols() > 0 ? Vector(shifted.rowwise().sum()) : Vector(Vector::Zero(shifted.rows()));
  if (shifted.cols() > 0) sums.within = std::max(0.0, sums.squares - sums.sum.squaredNorm() / sums.samples);
  return sums;
}

Matrix packed_triangle(const Matrix& symmetric) {
  Matrix packed(triangle_size(symmetric.rows()), 1);
  Index next = 0;
  for (Index column = 0; column < symmetric.cols(); ++column) {
    const Index below = symmetric.rows() - column;
    packed.col(0).segment(next, below) = symmetric.col(column).tail(below);
    next += below;
  }
  return packed;
}

Matrix unpacked_triangle(const Matrix& packed, Index rows) {
  Matrix symmetric(rows, rows);
  Index next = 0;
  for (Index column = 0; column < rows; ++column) {
    const Index below = rows - column;
    symmetric.col(column).tail(below) = packed.col(0).segment(next, below);
    symmetric.row(column).tail(below) = packed.col(0).segment(next, below).transpose();
    next += below;
  }
  return symmetric;
}

double trace_of(const ScatterSums& sums) {
  if (!(sums.samples > 0)) return 0;
  return std::max(0.0, sums.squares / sums.samples - mean_offset(sums).squaredNorm());
}

}  // namespace

ScatterSums& ScatterSums::operator+=(const ScatterSums& other) {
  samples += other.samples;
  squares += other.squares;
  within += other.within;
  outside += other.outside;
  sum += other.sum;
  products += other.products;
  return *this;
}

Matrix packed(const ScatterSums& sums) {
  Matrix column(4 + sums.sum.size() + sums.products.size(), 1);
  column << sums.samples, sums.squares, sums.within, sums.outside, sums.sum, sums.products.reshaped();
  return column;
}

void unpack(const Matrix& column, ScatterSums& sums) {
  sums.samples = column(0);
  sums.squares = column(1);
  sums.within = column(2);
  sums.outside = column(3);
  sums.sum = column.col(0).segment(4, sums.sum.size());
  sums.products.reshaped() = column.col(0).tail(sums.products.size());
}

ScatterSums products_with(const Matrix& directions, const MatrixView<double>& columns, const Vector& origin) {
  const Matrix shifted = columns.colwise() - origin;
  ScatterSums sums = sums_about(shifted);
  sums.products = shifted * (shifted.transpose() * directions);
  return sums;
}

ScatterSums whole_scatter(const MatrixView<double>& columns, const Vector& origin) {
  const Matrix shifted = columns.colwise() - origin;
  ScatterSums sums = sums_about(shifted);
  sums.products = packed_triangle(shifted * shifted.transpose());
  return sums;
}

Vector mean_offset(const ScatterSums& sums) {
  return sums.samples > 0 ? Vector(sums.sum / sums.samples) : Vector(Vector::Zero(sums.sum.size()));
}

double total_variance(const ScatterSums& sums) {
  if (!(sums.samples > 0)) return 0;
  return trace_of(sums) + std::max(0.0, sums.outside) / sums.samples;
}

double between_share(const ScatterSums& sums) {
  const double trace = trace_of(sums);
  return trace > 0 ? std::max(0.0, 1 - sums.within / sums.samples / trace) : 0;
}

Matrix covariance_products(const ScatterSums& sums, const Matrix& directions) {
  if (!(sums.samples > 0)) return Matrix::Zero(directions.rows(), directions.cols());
  const Vector mean = mean_offset(sums);
  return sums.products / sums.samples - mean * (mean.transpose() * directions);
}

Matrix covariance(const ScatterSums& sums) {
  const Index rows = sums.sum.size();
  if (!(sums.samples > 0)) return Matrix::Zero(rows, rows);
  const Vector mean = mean_offset(sums);
  return unpacked_triangle(sums.products, rows) / sums.samples - mean * mean.transpose();
}

}  // namespace choir::gossip_pca
