// A message as bytes, for engines that cross a process boundary.
//
//   std::vector<std::byte> bytes;
//   encode(message, bytes);                              // appends encoded_size(message) bytes
//   const Message same = decode(std::make_shared<const ByteBuffer>(std::move(bytes)), 0, size);
//
// Version 1, little-endian, every part a multiple of 8 bytes long:
//   0   2  "cM"              2  1  version      3  1  kind
//   4   4  channel           8  8  round
//   16  1  integers  n_i     17 1  numbers n_d  18 1  arrays n_a    19 5  zero
//   24     n_i x 8 integers, n_d x 8 doubles
//          n_a x { 1 type, 7 zero, 8 rows, 8 columns }
//          the arrays' bytes, column-major, each padded with zeros to 8
//
// decode() believes nothing: counts, sizes and paddings are checked against the length before anything is
// allocated, and the arrays of the result are views of the buffer, so nothing large is allocated at all.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "choir/runtime/message.h"

namespace choir {

using ByteBuffer = std::vector<std::byte>;

// What the ledger counts, on every engine.
std::size_t encoded_size(const Message& message);

void encode(const Message& message, ByteBuffer& out);

// The message in bytes [offset, offset + size) of the buffer, which it keeps alive if it has arrays. The
// offset must be a multiple of 8. Throws Error(BadData) for anything that encode() did not write.
Message decode(const std::shared_ptr<const ByteBuffer>& buffer, std::size_t offset, std::size_t size);

}  // namespace choir
