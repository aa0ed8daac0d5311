// Counter-based random numbers: every draw is a pure function of (seed, purpose, node, round, index).
//
//   Rng rng(seed, Purpose("landmark"), node, round);
//   double u = rng.uniform();                  // [0, 1)
//   auto order = rng.permutation(100);
//
// No state is shared, so threads and engines cannot change what a node draws. The numbers are the same
// on every platform: Philox4x64-10 (Random123) for the bits, and only +, -, *, / and sqrt after that.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "choir/base/types.h"

namespace choir {

// What random numbers are drawn for. Two purposes never share a stream.
class Purpose {
 public:
  explicit constexpr Purpose(std::string_view name) : key_(hash(name)) {}
  constexpr std::uint64_t key() const { return key_; }

 private:
  static constexpr std::uint64_t hash(std::string_view name) {  // FNV-1a
    std::uint64_t h = 0xcbf29ce484222325u;
    for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return h;
  }
  std::uint64_t key_;
};

class Rng {
 public:
  using result_type = std::uint64_t;

  Rng(std::uint64_t seed, Purpose purpose, std::uint64_t node = 0, std::uint64_t round = 0);

  std::uint64_t bits();                                // 64 uniform bits
  double uniform();                                    // [0, 1), 53 bits
  double uniform(double low, double high);             // [low, high)
  std::uint64_t below(std::uint64_t bound);            // 0 .. bound-1, unbiased; bound > 0
  double normal();                                     // N(0, 1), by inversion: one draw, one normal
  double chi(Index degrees);                           // length of a normal vector of that dimension
  std::vector<Index> permutation(Index count);         // of 0 .. count-1
  std::vector<Index> choose(Index count, Index from);  // count distinct of 0 .. from-1, in drawn order

  // The standard library's generator interface, for std::shuffle and the like (not portable there).
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }
  result_type operator()() { return bits(); }

 private:
  std::array<std::uint64_t, 2> key_;      // seed, purpose
  std::array<std::uint64_t, 3> counter_;  // node, round, block of four draws
  std::array<std::uint64_t, 4> block_{};
  int used_ = 4;  // of block_
};

// Quantile of the standard normal distribution, 0 < p < 1, to 1e-15 relative (Wichura, AS 241).
double normal_quantile(double p);

}  // namespace choir
