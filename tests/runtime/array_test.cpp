#include "choir/runtime/array.h"

#include "graph/expect_error.h"

namespace choir {
namespace {

using testing::expect_error;

TEST(Array, TakesAMatrixWithoutCopyingIt) {
  Matrix matrix = Matrix::Random(3, 5);
  const Matrix same = matrix;
  const double* data = matrix.data();
  const Array array(std::move(matrix));
  EXPECT_EQ(array.data(), data);
  EXPECT_EQ(array.rows(), 3);
  EXPECT_EQ(array.columns(), 5);
  EXPECT_EQ(array.bytes(), 3 * 5 * sizeof(double));
  EXPECT_EQ(array.type(), ArrayType::float64);
  EXPECT_EQ(array.matrix(), same);
}

TEST(Array, CopiesShareTheirValuesAndKeepThemAlive) {
  const Matrix values = Matrix::Random(4, 4);
  auto first = std::make_unique<Array>(values);
  const Array second = *first;
  EXPECT_EQ(second.data(), first->data());
  first.reset();
  EXPECT_EQ(second.matrix(), values);
}

TEST(Array, SharesWhatTheCallerKeeps) {
  const auto shard = std::make_shared<const Matrix>(Matrix::Random(2, 3));
  {
    const Array array = Array::share<double>(shard);
    EXPECT_EQ(array.data(), shard->data());
    EXPECT_EQ(shard.use_count(), 2);
  }
  EXPECT_EQ(shard.use_count(), 1);
}

TEST(Array, AVectorBecomesOneColumn) {
  const Vector values = Vector::LinSpaced(4, 0, 3);
  const Array array(values);
  EXPECT_EQ(array.rows(), 4);
  EXPECT_EQ(array.columns(), 1);
  EXPECT_EQ(array.matrix().col(0), values);
}

TEST(Array, HoldsFloatsAndIntegers) {
  const MatrixOf<float> floats = MatrixOf<float>::Random(3, 2);
  const Array of_floats(floats);
  EXPECT_EQ(of_floats.type(), ArrayType::float32);
  EXPECT_EQ(of_floats.bytes(), 6 * sizeof(float));
  EXPECT_EQ(of_floats.float_matrix(), floats);

  MatrixOf<std::int64_t> integers(1, 2);
  integers << -1, std::int64_t{1} << 62;
  const Array of_integers(integers);
  EXPECT_EQ(of_integers.type(), ArrayType::int64);
  EXPECT_EQ(of_integers.bytes(), 2 * sizeof(std::int64_t));
  EXPECT_EQ(of_integers.integers(), integers);
}

TEST(Array, HoldsBytesInOneColumnWithoutCopyingThem) {
  std::vector<std::byte> bytes = {std::byte{1}, std::byte{255}, std::byte{3}};
  const std::byte* data = bytes.data();
  const Array array = Array::of_bytes(std::move(bytes));
  EXPECT_EQ(array.type(), ArrayType::bytes);
  EXPECT_EQ(array.data(), data);
  EXPECT_EQ(array.rows(), 3);
  EXPECT_EQ(array.columns(), 1);
  EXPECT_EQ(array.bytes(), 3u);
  ASSERT_EQ(array.bytes_view().size(), 3u);
  EXPECT_EQ(array.bytes_view()[1], std::byte{255});
  EXPECT_TRUE(Array::of_bytes({}).bytes_view().empty());
}

TEST(Array, RefusesToBeReadAsAnotherType) {
  const Array doubles(Matrix::Zero(1, 1).eval());
  const Array floats(MatrixOf<float>::Zero(1, 1).eval());
  expect_error(ErrorCategory::BadData, {"float64", "float32"}, [&] { doubles.float_matrix(); });
  expect_error(ErrorCategory::BadData, {"float64", "int64"}, [&] { doubles.integers(); });
  expect_error(ErrorCategory::BadData, {"float32", "float64"}, [&] { floats.matrix(); });
  expect_error(ErrorCategory::BadData, {"float64", "bytes"}, [&] { doubles.bytes_view(); });
  expect_error(ErrorCategory::BadData, {"bytes", "float64"},
               [&] { Array::of_bytes(std::vector<std::byte>(8)).matrix(); });
}

TEST(Array, AViewKeepsItsOwnerAlive) {
  auto owner = std::make_shared<const std::vector<double>>(std::vector<double>{1, 2, 3, 4});
  const std::weak_ptr<const std::vector<double>> watch = owner;
  {
    const Array array = Array::view(owner, owner->data(), ArrayType::float64, 2, 2);
    owner.reset();
    EXPECT_FALSE(watch.expired());
    EXPECT_EQ(array.matrix()(0, 1), 3);  // column-major
  }
  EXPECT_TRUE(watch.expired());
}

TEST(Array, MayBeEmpty) {
  const Array array(Matrix(0, 7));
  EXPECT_EQ(array.bytes(), 0u);
  EXPECT_EQ(array.matrix().cols(), 7);
}

}  // namespace
}  // namespace choir
