// A dense array inside a message: shared and immutable, so that a shard sent to four neighbours exists once.
//
//   const Array array(std::move(matrix));              // takes the matrix, no copy
//   const Array same = Array::share(shard);            // a std::shared_ptr<const Matrix>; no copy either
//   Eigen::Map<const Matrix> view = array.matrix();    // lives as long as the array
//
// Column-major, of double, float or 64-bit integers; or bytes, one column of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "choir/linalg/types.h"

namespace choir {

enum class ArrayType : std::uint8_t { float64, float32, int64, bytes };

std::size_t size_of(ArrayType type);
std::string_view to_string(ArrayType type);

class Array {
 public:
  Array(Matrix values);
  Array(MatrixOf<float> values);
  Array(MatrixOf<std::int64_t> values);
  // A vector becomes one column.
  Array(const Vector& values);
  static Array of_bytes(std::vector<std::byte> values);

  template <class Scalar>
  static Array share(std::shared_ptr<const MatrixOf<Scalar>> values);
  // Bytes that something else keeps alive; as aligned as the type wants.
  static Array view(std::shared_ptr<const void> owner, const void* data, ArrayType type, Index rows,
                    Index columns);

  ArrayType type() const { return type_; }
  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  std::size_t bytes() const { return static_cast<std::size_t>(rows_ * columns_) * size_of(type_); }
  const void* data() const { return data_; }

  // Throw Error(BadData) if the array is of another type: it came from a neighbour.
  Eigen::Map<const Matrix> matrix() const;
  Eigen::Map<const MatrixOf<float>> float_matrix() const;
  Eigen::Map<const MatrixOf<std::int64_t>> integers() const;
  std::span<const std::byte> bytes_view() const;

 private:
  Array(std::shared_ptr<const void> owner, const void* data, ArrayType type, Index rows, Index columns);
  void require(ArrayType wanted) const;
  template <class Scalar>
  Eigen::Map<const MatrixOf<Scalar>> as() const;

  std::shared_ptr<const void> owner_;
  const void* data_;
  Index rows_;
  Index columns_;
  ArrayType type_;
};

}  // namespace choir
