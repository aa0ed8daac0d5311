// numpy's .npy format, as bytes: what .npy files, .npz archives and model files are made of.
//
//   NpyArray array = decode_npy(bytes, "weights.npy");     // refuses what it does not understand
//   std::vector<std::byte> out = encode_npy(array);
//   copy_doubles(view_npy(bytes, "big.npy"), values);      // no copy but the conversion itself
//
// Little-endian bool, integers and floats, C or Fortran order. Everything a hostile header can say
// (sizes that overflow, object arrays, big-endian data, truncated bodies) is refused with a sentence.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "choir/base/types.h"

namespace choir {

enum class ElementType {
  boolean,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64
};

std::size_t size_of(ElementType type);
std::string_view to_string(ElementType type);  // numpy's names: "float64", "uint8", "bool", ...

// An array whose bytes live elsewhere.
struct NpyView {
  ElementType type = ElementType::float64;
  std::vector<Index> shape;  // numpy's shape; empty for a scalar
  bool fortran_order = false;
  std::span<const std::byte> bytes;  // product(shape) * size_of(type); of any alignment

  Index elements() const;
};

struct NpyArray {
  ElementType type = ElementType::float64;
  std::vector<Index> shape;  // numpy's shape; empty for a scalar
  bool fortran_order = false;
  std::vector<std::byte> bytes;  // product(shape) * size_of(type)

  Index elements() const;
  NpyView view() const { return {type, shape, fortran_order, bytes}; }
};

// `name` is what error messages call the source. Throws Error(BadData): also for bytes behind the array.
NpyView view_npy(std::span<const std::byte> bytes, std::string_view name);
NpyArray decode_npy(std::span<const std::byte> bytes, std::string_view name);
// Throws Error(InvalidArgument) if the shape does not fit the bytes.
std::vector<std::byte> encode_npy(const NpyArray& array);

// The values as doubles, in C order whatever order they are stored in. 2^53 and above lose digits in int64.
// `out` has elements() values.
void copy_doubles(const NpyView& array, std::span<double> out);
std::vector<double> to_doubles(const NpyArray& array);

// float64 array from values in C order. Throws Error(InvalidArgument) if the shape does not fit.
NpyArray from_doubles(std::span<const double> values, std::vector<Index> shape);

}  // namespace choir
