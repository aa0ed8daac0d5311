// idx files, the format of MNIST: two zero bytes, the element type, the number of dimensions, the
// dimensions as big-endian 32-bit numbers, then the elements, big-endian.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "choir/data/dataset.h"

namespace choir {

Dataset decode_idx(std::span<const std::byte> bytes, const std::string& name,
                   const ReadOptions& options = {});

// Whether the bytes start as idx files do.
bool looks_like_idx(std::span<const std::byte> bytes);

}  // namespace choir
