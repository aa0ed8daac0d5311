// Whether bytes shrink enough to be worth the time it takes to deflate them.
//
//   is_worth_deflating(encode_npy(images))      // pixels held as doubles: yes
//   is_worth_deflating(encode_npy(noise))       // no: a few percent, for most of the time of writing a file
#pragma once

#include <cstddef>
#include <span>

namespace choir {

// Decided by a sample from the middle; the same for the same bytes.
bool is_worth_deflating(std::span<const std::byte> bytes);

}  // namespace choir
