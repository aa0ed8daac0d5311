#include "choir/crypto/blinding.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "choir/base/error.h"
#include "choir/base/parallel.h"
#include "choir/crypto/sodium.h"

namespace choir {
namespace {

static_assert(std::tuple_size_v<Point> == crypto_core_ristretto255_BYTES);

constexpr std::size_t points_at_once = 64;  // milliseconds: a piece of work for a thread

void for_each_index(std::size_t count, int threads, const std::function<void(std::size_t)>& work) {
  const auto pieces = static_cast<Index>((count + points_at_once - 1) / points_at_once);
  parallel_for(pieces, threads, [&](Index piece) {
    const std::size_t first = static_cast<std::size_t>(piece) * points_at_once;
    for (std::size_t i = first; i < std::min(first + points_at_once, count); ++i) work(i);
  });
}

void blind_one(const Secret& exponent, Point& point) {
  Point blinded;
  if (crypto_core_ristretto255_is_valid_point(input(point)) == 1 &&
      crypto_scalarmult_ristretto255(output(blinded), input(exponent.bytes()), input(point)) == 0) {
    point = blinded;
    return;
  }
  throw Error(ErrorCategory::BadData,
              "a blinded key is not a valid point of the group; check that all nodes run the same choir");
}

}  // namespace

Point point_of(std::string_view purpose, std::span<const std::string> texts) {
  require_sodium();
  std::array<std::byte, crypto_core_ristretto255_HASHBYTES> hash;
  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, hash.size());
  add_text(state, purpose);
  for (const std::string& text : texts) add_text(state, text);
  crypto_generichash_final(&state, output(hash), hash.size());
  Point point;
  crypto_core_ristretto255_from_hash(output(point), input(hash));
  return point;
}

std::vector<Point> points_of(std::string_view purpose, std::span<const std::string> texts, int threads) {
  std::vector<Point> points(texts.size());
  for_each_index(texts.size(), threads,
                 [&](std::size_t i) { points[i] = point_of(purpose, texts.subspan(i, 1)); });
  return points;
}

Blinding Blinding::fresh() {
  require_sodium();
  Secret exponent(crypto_core_ristretto255_SCALARBYTES);
  crypto_core_ristretto255_scalar_random(output(exponent.bytes()));
  return Blinding(std::move(exponent));
}

Blinding Blinding::of(Secret exponent) {
  require_sodium();
  if (exponent.size() != crypto_core_ristretto255_SCALARBYTES) {
    fail(ErrorCategory::InvalidArgument, "the exponent of a blinding has {} bytes; it needs {}",
         exponent.size(), crypto_core_ristretto255_SCALARBYTES);
  }
  Secret wide(crypto_core_ristretto255_NONREDUCEDSCALARBYTES);
  std::ranges::copy(std::as_const(exponent).bytes(), wide.bytes().begin());
  Secret reduced(exponent.size());
  crypto_core_ristretto255_scalar_reduce(output(reduced.bytes()), input(wide.bytes()));
  const bool is_zero = sodium_is_zero(input(reduced.bytes()), reduced.size()) == 1;
  if (is_zero || sodium_memcmp(reduced.bytes().data(), exponent.bytes().data(), reduced.size()) != 0) {
    throw Error(ErrorCategory::InvalidArgument,
                "the exponent of a blinding must be positive and below the order of the group; draw another");
  }
  return Blinding(std::move(exponent));
}

void Blinding::blind(std::span<Point> points, int threads) const {
  for_each_index(points.size(), threads, [&](std::size_t i) { blind_one(exponent_, points[i]); });
}

}  // namespace choir
