// Words that look random without their seed: ChaCha20 (RFC 8439) with the seed as key, counted
// from 0, with a nonce of zeros. So a seed is for one stream.
//
//   add_stream(seed, words, Sign::plus);      // a mask; modulo 2^64
//   add_stream(seed, words, Sign::minus);     // and it is gone
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "choir/crypto/secret.h"

namespace choir {

inline constexpr std::size_t stream_seed_bytes = 32;
inline constexpr std::size_t max_stream_words = std::size_t{1} << 35;  // 2^32 blocks of eight

enum class Sign : std::uint8_t { plus, minus };

// Adds the stream's first words, each of eight bytes, little-endian, to the given ones. Throws
// Error(InvalidArgument) for a seed of another length and beyond max_stream_words.
void add_stream(const Secret& seed, std::span<std::uint64_t> words, Sign sign);

}  // namespace choir
