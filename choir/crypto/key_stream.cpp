#include "choir/crypto/key_stream.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "choir/base/error.h"
#include "choir/crypto/sodium.h"

namespace choir {
namespace {

constexpr std::size_t block_bytes = 64;
constexpr std::size_t blocks_at_once = 64;  // 4 KiB, on the stack
constexpr std::size_t words_at_once = blocks_at_once * block_bytes / sizeof(std::uint64_t);

using Buffer = std::array<std::byte, blocks_at_once * block_bytes>;

// Little-endian on every machine.
std::uint64_t word_at(const Buffer& buffer, std::size_t index) {
  std::uint64_t word = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&word, buffer.data() + index * sizeof word, sizeof word);
    return word;
  }
  for (std::size_t i = 0; i < sizeof word; ++i) {
    word |= std::uint64_t(buffer[index * sizeof word + i]) << (8 * i);
  }
  return word;
}

// As many bytes as so many words need.
void fill(Buffer& buffer, const Secret& seed, std::uint32_t first_block, std::size_t words) {
  constexpr std::array<unsigned char, crypto_stream_chacha20_ietf_NONCEBYTES> nonce = {};
  const std::size_t bytes = words * sizeof(std::uint64_t);
  std::fill_n(buffer.begin(), bytes, std::byte{0});
  crypto_stream_chacha20_ietf_xor_ic(output(buffer), input(buffer), bytes, nonce.data(), first_block,
                                     input(seed.bytes()));
}

}  // namespace

static_assert(stream_seed_bytes == crypto_stream_chacha20_ietf_KEYBYTES);

void add_stream(const Secret& seed, std::span<std::uint64_t> words, Sign sign) {
  require_sodium();
  if (seed.size() != stream_seed_bytes) {
    fail(ErrorCategory::InvalidArgument, "the seed of a stream has {} bytes; it needs {}", seed.size(),
         stream_seed_bytes);
  }
  if (words.size() > max_stream_words) {
    fail(ErrorCategory::InvalidArgument, "a stream of {} words was requested; it ends after {}", words.size(),
         max_stream_words);
  }
  Buffer buffer;
  for (std::size_t begin = 0; begin < words.size(); begin += words_at_once) {
    const std::span<std::uint64_t> part = words.subspan(begin, std::min(words_at_once, words.size() - begin));
    fill(buffer, seed, static_cast<std::uint32_t>(begin / words_at_once * blocks_at_once), part.size());
    for (std::size_t i = 0; i < part.size(); ++i) {
      const std::uint64_t word = word_at(buffer, i);
      part[i] += sign == Sign::plus ? word : 0 - word;
    }
  }
  sodium_memzero(buffer.data(), buffer.size());
}

}  // namespace choir
