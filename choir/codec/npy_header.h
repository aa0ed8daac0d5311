// The header of an .npy file: magic, version, and a python dict literal such as
//
//   {'descr': '<f8', 'fortran_order': False, 'shape': (60000, 784), }
//
// Parsed strictly: exactly these three keys, nothing is evaluated, every size is checked for overflow.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "choir/codec/npy.h"

namespace choir {

struct NpyHeader {
  ElementType type = ElementType::float64;
  std::vector<Index> shape;
  bool fortran_order = false;
  std::size_t size = 0;  // in bytes, magic included: where the array's own bytes begin
};

// No header is longer, magic included.
inline constexpr std::size_t max_npy_header_bytes = (std::size_t{1} << 20) + 12;

// Reads the beginning of `bytes`. Throws Error(BadData); `name` is what messages call the source.
NpyHeader parse_npy_header(std::span<const std::byte> bytes, std::string_view name);

// Version 1, padded with blanks to a multiple of 64 bytes: byte for byte what numpy 1.24 writes.
std::string format_npy_header(ElementType type, const std::vector<Index>& shape, bool fortran_order);

// product(shape), or nothing if the array, or one without its empty axes, would not be addressable.
// (0, 2^62, 2^62) is refused too: code that flattens its last two axes must not overflow.
std::optional<Index> count_elements(const std::vector<Index>& shape, ElementType type);

}  // namespace choir
