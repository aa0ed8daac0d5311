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

Samples to_samples(const NpyView& array, const std::string& name, std::uint64_t max_bytes);

// Throws Error(BadData) naming row and column of the first NaN or infinity.
void check_finite(const Samples& samples, const std::string& name);

// max_bytes of ReadOptions with 0 replaced by what is free.
std::uint64_t memory_budget(std::uint64_t max_bytes);

// What labels and keys are read as; `where` says which value it was, should it not be one, or one so large
// that a double may stand for its neighbour.
std::int64_t to_whole_number(double value, const std::function<std::string()>& where);

// "60000 x 784"
std::string to_string(std::span<const Index> shape);

}  // namespace choir
