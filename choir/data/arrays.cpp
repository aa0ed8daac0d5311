#include "choir/data/arrays.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/base/memory.h"
#include "choir/base/text.h"

namespace choir {
namespace {

// The position of each feature of sample 0 in the stored array, in the order of numpy's reshape(N, -1).
std::vector<Index> feature_offsets(const ArrayView& array, const TableShape& table) {
  const std::size_t dimensions = array.shape.size();
  std::vector<Index> stride(dimensions, 1);
  for (std::size_t d = 1; d < dimensions; ++d) stride[d] = stride[d - 1] * array.shape[d - 1];
  std::vector<Index> at(dimensions, 0);
  std::vector<Index> offsets(static_cast<std::size_t>(table.features));
  Index offset = 0;
  for (Index& slot : offsets) {
    slot = offset;
    for (std::size_t d = dimensions; d-- > 1;) {  // an odometer: the last dimension runs fastest
      offset += stride[d];
      if (++at[d] < array.shape[d]) break;
      offset -= stride[d] * array.shape[d];
      at[d] = 0;
    }
  }
  return offsets;
}

template <class Element>
double load(const std::byte* bytes, Index position) {
  Element value;
  std::memcpy(&value, bytes + position * static_cast<Index>(sizeof value), sizeof value);
  return static_cast<double>(value);
}

template <class Element>
void copy_fortran(const ArrayView& array, const TableShape& table, Samples& samples) {
  const std::vector<Index> offsets = feature_offsets(array, table);
  constexpr Index block = 64;  // samples whose columns stay in cache while features run by
  for (Index first = 0; first < table.samples; first += block) {
    const Index last = std::min(first + block, table.samples);
    for (Index m = 0; m < table.features; ++m) {
      const Index offset = offsets[static_cast<std::size_t>(m)];
      for (Index n = first; n < last; ++n) samples(m, n) = load<Element>(array.bytes.data(), offset + n);
    }
  }
}

template <class Element>
void copy(const ArrayView& array, const TableShape& table, Samples& samples) {
  if (array.fortran_order && array.shape.size() > 1) return copy_fortran<Element>(array, table, samples);
  double* out = samples.data();
  for (Index i = 0; i < samples.size(); ++i) out[i] = load<Element>(array.bytes.data(), i);
}

void copy_any(const ArrayView& array, const TableShape& table, Samples& samples) {
  switch (array.type) {
    case ElementType::boolean:
    case ElementType::uint8:
      return copy<std::uint8_t>(array, table, samples);
    case ElementType::int8:
      return copy<std::int8_t>(array, table, samples);
    case ElementType::int16:
      return copy<std::int16_t>(array, table, samples);
    case ElementType::uint16:
      return copy<std::uint16_t>(array, table, samples);
    case ElementType::int32:
      return copy<std::int32_t>(array, table, samples);
    case ElementType::uint32:
      return copy<std::uint32_t>(array, table, samples);
    case ElementType::int64:
      return copy<std::int64_t>(array, table, samples);
    case ElementType::uint64:
      return copy<std::uint64_t>(array, table, samples);
    case ElementType::float32:
      return copy<float>(array, table, samples);
    case ElementType::float64:
      return copy<double>(array, table, samples);
  }
  throw Error(ErrorCategory::Internal, "an element type without a reader");
}

// The product, or -1 when it does not fit an Index.
Index product(Index a, Index b) {
  Index result = 0;
  return __builtin_mul_overflow(a, b, &result) ? -1 : result;
}

}  // namespace

TableShape table_shape(std::span<const Index> shape, const std::string& name, std::uint64_t max_bytes) {
  if (shape.empty()) {
    fail(ErrorCategory::BadData, "{} holds a single number; an array with one row per sample is needed",
         name);
  }
  if (std::ranges::any_of(shape, [](Index extent) { return extent <= 0; })) {
    fail(ErrorCategory::BadData, "{} has no data: its shape is {}", name, to_string(shape));
  }
  TableShape table{.features = 1, .samples = shape.front()};
  for (const Index extent : shape.subspan(1)) {
    table.features = table.features < 0 ? -1 : product(table.features, extent);
  }
  const Index elements = table.features < 0 ? -1 : product(table.features, table.samples);
  if (elements < 0 || static_cast<std::uint64_t>(elements) > max_bytes / sizeof(double)) {
    double bytes = sizeof(double);
    for (const Index extent : shape) bytes *= static_cast<double>(extent);
    fail(ErrorCategory::OutOfMemory,
         "{} says it holds {} numbers, which need {} of memory, and {} are free; use fewer rows or check the "
         "file",
         name, to_string(shape), human_bytes(bytes), human_bytes(static_cast<double>(max_bytes)));
  }
  return table;
}

Samples to_samples(const ArrayView& array, const std::string& name, std::uint64_t max_bytes) {
  const TableShape table = table_shape(array.shape, name, max_bytes);
  const auto elements =
      static_cast<std::uint64_t>(table.features) * static_cast<std::uint64_t>(table.samples);
  if (array.bytes.size() != elements * size_of(array.type)) {
    fail(ErrorCategory::BadData, "{} is truncated or damaged: {} bytes of data where {} {} numbers need {}",
         name, array.bytes.size(), to_string(array.shape), to_string(array.type),
         elements * size_of(array.type));
  }
  Samples samples(table.features, table.samples);
  copy_any(array, table, samples);
  return samples;
}

void check_finite(const Samples& samples, const std::string& name) {
  if (samples.allFinite()) return;
  for (Index n = 0; n < samples.cols(); ++n) {
    for (Index m = 0; m < samples.rows(); ++m) {
      const double value = samples(m, n);
      if (std::isfinite(value)) continue;
      fail(ErrorCategory::BadData, "{}: row {}, column {} is {}; remove or replace such values", name, n + 1,
           m + 1, std::isnan(value) ? "NaN" : "infinite");
    }
  }
}

std::uint64_t memory_budget(std::uint64_t max_bytes) {
  return max_bytes > 0 ? max_bytes : available_memory();
}

std::int64_t to_label(double value, const std::string& where) {
  constexpr double exact = 9007199254740992.0;  // 2^53: beyond, doubles skip integers
  if (!(std::abs(value) <= exact) || value != std::floor(value)) {
    fail(ErrorCategory::BadData, "{} is {}; labels must be whole numbers", where, value);
  }
  return static_cast<std::int64_t>(value);
}

std::string to_string(std::span<const Index> shape) {
  if (shape.size() == 1) return std::to_string(shape.front());
  return fmt::format("{}", fmt::join(shape, " x "));
}

}  // namespace choir
