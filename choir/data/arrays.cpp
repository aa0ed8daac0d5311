#include "choir/data/arrays.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/base/memory.h"
#include "choir/base/text.h"

namespace choir {
namespace {

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
         "{} says it holds {} numbers, which need {} of memory, but {} are free; use fewer rows or check the "
         "file",
         name, to_string(shape), human_bytes(bytes), human_bytes(static_cast<double>(max_bytes)));
  }
  return table;
}

TableShape row_shape(std::span<const Index> shape, const std::string& name) {
  const TableShape table = table_shape(shape, name, std::numeric_limits<std::uint64_t>::max());
  const Index row[] = {1, table.features};
  table_shape(row, name, available_memory());
  return table;
}

void check_array_bytes(ElementType type, std::span<const Index> shape, std::uint64_t found,
                       const std::string& name) {
  std::uint64_t needed = size_of(type);
  for (const Index extent : shape) needed *= static_cast<std::uint64_t>(extent);
  if (found == needed) return;
  fail(ErrorCategory::BadData, "{} is truncated or damaged: {} bytes of data where {} {} numbers need {}",
       name, found, to_string(shape), to_string(type), needed);
}

Samples to_samples(const NpyView& array, const std::string& name, std::uint64_t max_bytes) {
  const TableShape table = table_shape(array.shape, name, max_bytes);
  check_array_bytes(array.type, array.shape, array.bytes.size(), name);
  Samples samples(table.features, table.samples);
  copy_doubles(array, {samples.data(), static_cast<std::size_t>(samples.size())});
  return samples;
}

void check_finite(MatrixView<double> samples, const std::string& name, std::uint64_t first_row) {
  if (samples.allFinite()) return;
  for (Index n = 0; n < samples.cols(); ++n) {
    for (Index m = 0; m < samples.rows(); ++m) {
      const double value = samples(m, n);
      if (std::isfinite(value)) continue;
      fail(ErrorCategory::BadData, "{}: row {}, column {} is {}; remove or replace such values", name,
           first_row + static_cast<std::uint64_t>(n) + 1, m + 1, std::isnan(value) ? "NaN" : "infinite");
    }
  }
}

std::uint64_t memory_budget(std::uint64_t max_bytes) {
  return max_bytes > 0 ? max_bytes : available_memory();
}

std::int64_t to_whole_number(double value, const std::function<std::string()>& where) {
  constexpr double exact = 9007199254740992.0;  // 2^53: from here on doubles skip integers
  if (!(std::abs(value) < exact) || value != std::floor(value)) {
    fail(ErrorCategory::BadData, "{} is {}; only integers below 2^53 are allowed there", where(), value);
  }
  return static_cast<std::int64_t>(value);
}

double to_finite_number(double value, const std::function<std::string()>& where) {
  if (!std::isfinite(value))
    fail(ErrorCategory::BadData, "{} is {}; remove or replace such values", where(),
         std::isnan(value) ? "NaN" : "infinite");
  return value;
}

std::string to_string(std::span<const Index> shape) {
  if (shape.size() == 1) return std::to_string(shape.front());
  return fmt::format("{}", fmt::join(shape, " x "));
}

}  // namespace choir
