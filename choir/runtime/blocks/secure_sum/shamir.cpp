#include "choir/runtime/blocks/secure_sum/shamir.h"

#include <set>

#include "choir/base/error.h"

namespace choir {
namespace {

constexpr Index most_holders = 255;

std::uint8_t point_of(Index holder) { return static_cast<std::uint8_t>(holder + 1); }

// a <- a x + b, byte by byte.
void multiply_add(std::span<std::byte> a, std::uint8_t x, std::span<const std::byte> b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = std::byte{field_product(std::to_integer<std::uint8_t>(a[i]), x)} ^ b[i];
}

// Lagrange's weight of the first at 0: the product of x_j / (x_j - x_i), and a difference is an exclusive or.
std::uint8_t weight_at_zero(Index holder, std::span<const std::pair<Index, Secret>> shares) {
  std::uint8_t weight = 1;
  for (const auto& [other, share] : shares) {
    if (other == holder) continue;
    const auto difference = static_cast<std::uint8_t>(point_of(other) ^ point_of(holder));
    weight = field_product(weight, field_product(point_of(other), field_inverse(difference)));
  }
  return weight;
}

void require_consistent(std::span<const std::pair<Index, Secret>> shares) {
  std::set<Index> holders;
  for (const auto& [holder, share] : shares) {
    const bool fits = holder >= 0 && holder < most_holders && share.size() == shares.front().second.size();
    if (fits && holders.insert(holder).second) continue;
    fail(ErrorCategory::InvalidArgument,
         "the share of holder {} has {} bytes, is of no holder or came twice; a secret needs shares of "
         "different holders and one length",
         holder, share.size());
  }
  if (holders.empty()) throw Error(ErrorCategory::InvalidArgument, "a secret needs at least one share");
}

}  // namespace

// Carry-less product, reduced as it grows; eight steps whatever the numbers are.
std::uint8_t field_product(std::uint8_t a, std::uint8_t b) {
  unsigned product = 0;
  unsigned shifted = a;
  for (unsigned bit = 0; bit < 8; ++bit) {
    product ^= shifted & (0U - ((b >> bit) & 1U));
    shifted = ((shifted << 1) ^ (0x11bU & (0U - (shifted >> 7)))) & 0xffU;
  }
  return static_cast<std::uint8_t>(product);
}

// a^254
std::uint8_t field_inverse(std::uint8_t a) {
  std::uint8_t power = a;
  for (int i = 0; i < 6; ++i) power = field_product(field_product(power, power), a);  // a^127 in the end
  return field_product(power, power);
}

std::vector<Secret> shares_of(const Secret& secret, const Sharing& sharing) {
  if (sharing.holders < 1 || sharing.holders > most_holders || sharing.threshold < 1 ||
      sharing.threshold > sharing.holders) {
    fail(ErrorCategory::InvalidArgument,
         "a secret cannot be shared among {} holders with a threshold of {}; holders are 1 to {}, and the "
         "threshold is 1 to as many",
         sharing.holders, sharing.threshold, most_holders);
  }
  const std::size_t length = secret.size();
  const Secret others = Secret::random(length * static_cast<std::size_t>(sharing.threshold));  // one unused
  std::vector<Secret> shares;
  for (Index holder = 0; holder < sharing.holders; ++holder) {
    Secret share(length);  // Horner's rule, from the highest coefficient on
    for (Index power = sharing.threshold - 1; power >= 1; --power) {
      const std::size_t place = length * static_cast<std::size_t>(power);
      multiply_add(share.bytes(), point_of(holder), others.bytes().subspan(place, length));
    }
    multiply_add(share.bytes(), point_of(holder), secret.bytes());
    shares.push_back(std::move(share));
  }
  return shares;
}

Secret secret_from(std::span<const std::pair<Index, Secret>> shares) {
  require_consistent(shares);
  Secret secret(shares.front().second.size());
  for (const auto& [holder, share] : shares) {
    const std::uint8_t weight = weight_at_zero(holder, shares);
    for (std::size_t i = 0; i < secret.size(); ++i) {
      secret.bytes()[i] ^= std::byte{field_product(std::to_integer<std::uint8_t>(share.bytes()[i]), weight)};
    }
  }
  return secret;
}

}  // namespace choir
