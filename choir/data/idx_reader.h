// idx files, the format of MNIST: two zero bytes, the element type, the number of dimensions, the
// dimensions as big-endian 32-bit numbers, then the elements, big-endian.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "choir/codec/npy.h"
#include "choir/data/dataset.h"

namespace choir {

Dataset decode_idx(std::span<const std::byte> bytes, const std::string& name,
                   const ReadOptions& options = {});

struct IdxHeader {
  ElementType type = ElementType::uint8;
  std::vector<Index> shape;
  std::size_t size = 0;  // in bytes: where the array's own bytes begin
};
// The longest there is.
inline constexpr std::size_t max_idx_header_bytes = 4 + 4 * 8;

// Reads the beginning of `bytes`. Throws Error(BadData).
IdxHeader parse_idx_header(std::span<const std::byte> bytes, const std::string& name);

// Between big-endian, as the files have it, and the machine's order, in place.
void reverse_elements(std::span<std::byte> bytes, ElementType type);

// Whether the bytes start as idx files do.
bool looks_like_idx(std::span<const std::byte> bytes);

}  // namespace choir
