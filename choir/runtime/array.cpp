#include "choir/runtime/array.h"

#include "choir/base/error.h"
#include "choir/base/word_of.h"

namespace choir {
namespace {

template <class Scalar>
struct TypeOf;
template <>
struct TypeOf<double> {
  static constexpr ArrayType value = ArrayType::float64;
};
template <>
struct TypeOf<float> {
  static constexpr ArrayType value = ArrayType::float32;
};
template <>
struct TypeOf<std::int64_t> {
  static constexpr ArrayType value = ArrayType::int64;
};

}  // namespace

std::size_t size_of(ArrayType type) {
  switch (type) {
    case ArrayType::float64:
    case ArrayType::int64:
      return 8;
    case ArrayType::float32:
      return 4;
    case ArrayType::bytes:
      return 1;
  }
  fail(ErrorCategory::Internal, "there is no array type {}", static_cast<int>(type));
}

constexpr std::string_view array_words[] = {"float64", "float32", "int64", "bytes"};

std::string_view to_string(ArrayType type) { return word_of<ArrayType::bytes>(type, array_words); }

Array::Array(std::shared_ptr<const void> owner, const void* data, ArrayType type, Index rows, Index columns)
    : owner_(std::move(owner)), data_(data), rows_(rows), columns_(columns), type_(type) {}

template <class Scalar>
Array Array::share(std::shared_ptr<const MatrixOf<Scalar>> values) {
  const void* data = values->data();
  const Index rows = values->rows();
  const Index columns = values->cols();
  return Array(std::move(values), data, TypeOf<Scalar>::value, rows, columns);
}
template Array Array::share<double>(std::shared_ptr<const Matrix>);
template Array Array::share<float>(std::shared_ptr<const MatrixOf<float>>);
template Array Array::share<std::int64_t>(std::shared_ptr<const MatrixOf<std::int64_t>>);

Array::Array(Matrix values) : Array(share<double>(std::make_shared<const Matrix>(std::move(values)))) {}
Array::Array(MatrixOf<float> values)
    : Array(share<float>(std::make_shared<const MatrixOf<float>>(std::move(values)))) {}
Array::Array(MatrixOf<std::int64_t> values)
    : Array(share<std::int64_t>(std::make_shared<const MatrixOf<std::int64_t>>(std::move(values)))) {}
Array::Array(const Vector& values) : Array(Matrix(values)) {}

Array Array::of_bytes(std::vector<std::byte> values) {
  const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(values));
  return Array(owner, owner->data(), ArrayType::bytes, static_cast<Index>(owner->size()), 1);
}

Array Array::view(std::shared_ptr<const void> owner, const void* data, ArrayType type, Index rows,
                  Index columns) {
  return Array(std::move(owner), data, type, rows, columns);
}

void Array::require(ArrayType wanted) const {
  if (type_ == wanted) return;
  fail(ErrorCategory::BadData, "a message has an array of {} where one of {} was expected", to_string(type_),
       to_string(wanted));
}

template <class Scalar>
Eigen::Map<const MatrixOf<Scalar>> Array::as() const {
  require(TypeOf<Scalar>::value);
  return {static_cast<const Scalar*>(data_), rows_, columns_};
}

Eigen::Map<const Matrix> Array::matrix() const { return as<double>(); }
Eigen::Map<const MatrixOf<float>> Array::float_matrix() const { return as<float>(); }
Eigen::Map<const MatrixOf<std::int64_t>> Array::integers() const { return as<std::int64_t>(); }

std::span<const std::byte> Array::bytes_view() const {
  require(ArrayType::bytes);
  return {static_cast<const std::byte*>(data_), bytes()};
}

}  // namespace choir
