// What all readers share: arrays of any element type and order become Samples, within a memory budget.
//
//   const NpyView view{.type = ElementType::uint8, .shape = {60000, 28, 28}, .bytes = pixels};
//   Samples samples = to_samples(view, "train-images", budget);      // 784 x 60000
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "choir/codec/npy.h"
#include "choir/linalg/types.h"

namespace choir {

struct TableShape {
  Index features = 0;  // M
  Index samples = 0;   // N
};

// How an array of that shape is read as N samples of M features. Throws Error(BadData) for a single
// number or an array without elements, Error(OutOfMemory) if M x N doubles exceed max_bytes.
TableShape table_shape(std::span<const Index> shape, const std::string& name, std::uint64_t max_bytes);

// The same for an array that is read in parts: a row of it must fit.
TableShape row_shape(std::span<const Index> shape, const std::string& name);

// Throws Error(BadData) unless an array of that type and shape, one that table_shape accepts, has `found`
// bytes.
void check_array_bytes(ElementType type, std::span<const Index> shape, std::uint64_t found,
                       const std::string& name);

Samples to_samples(const NpyView& array, const std::string& name, std::uint64_t max_bytes);

// Throws Error(BadData) naming row and column of the first NaN or infinity. The first sample is row
// `first_row` of the source, from 0.
void check_finite(MatrixView<double> samples, const std::string& name, std::uint64_t first_row = 0);

// max_bytes of ReadOptions with 0 replaced by what is free.
std::uint64_t memory_budget(std::uint64_t max_bytes);

// What labels and keys are read as; `where` says which value it was, should it not be one, or one so large
// that a double may stand for its neighbour.
std::int64_t to_whole_number(double value, const std::function<std::string()>& where);

// What values are read as.
double to_finite_number(double value, const std::function<std::string()>& where);

// "60000 x 784"
std::string to_string(std::span<const Index> shape);

}  // namespace choir
