// What a message carries, in the words of a data-protection officer. Every message has exactly one kind; a
// method declares the kinds it may send, and the ledger counts by kind.
//
//   const KindSet kinds = {Kind::coefficients, Kind::control};
//   if (!kinds.has(message.kind())) ...
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace choir {

enum class Kind : std::uint8_t {
  raw_samples,     // samples as they were measured, or with noise
  centroids,       // means of several samples each
  features,        // samples in feature coordinates
  coefficients,    // of expansions over samples the receiver has, and their projections
  own_statistics,  // sums over one node's samples, or few nodes', that others see in clear
  masked,          // uniform words: summands under masks (blocks/secure_sum)
  totals,          // sums over the whole network, or what follows from them alone
  identifiers,     // hashes or encrypted forms of keys of people
  control,         // counters, flags, acknowledgements: nothing that depends on a sample's value
  // Between processes, which may belong to different organisations:
  options,    // options that all processes must share, and versions
  facts,      // of a shard: how many samples it has, its columns' names and types, classes, its file's name
  summaries,  // what a node found: eigenvalues, changes, counts, sentences
  failures,   // a sentence that says why a process cannot go on
};

inline constexpr std::size_t kind_count = 13;
inline constexpr std::array<Kind, kind_count> all_kinds = {
    Kind::raw_samples, Kind::centroids, Kind::features,    Kind::coefficients, Kind::own_statistics,
    Kind::masked,      Kind::totals,    Kind::identifiers, Kind::control,      Kind::options,
    Kind::facts,       Kind::summaries, Kind::failures};
constexpr Kind last_value(Kind) { return all_kinds.back(); }  // see statement.h

std::string_view to_string(Kind kind);  // "raw_samples", as in result.json
// One line: what whoever receives messages of this kind can learn from them.
std::string_view what_it_tells(Kind kind);

class KindSet {
 public:
  constexpr KindSet() = default;
  constexpr KindSet(std::initializer_list<Kind> kinds) {
    for (const Kind kind : kinds) bits_ |= bit(kind);
  }
  constexpr bool has(Kind kind) const { return (bits_ & bit(kind)) != 0; }
  std::vector<Kind> list() const;  // in the order of the enumeration
  std::string text() const;        // "coefficients, control"
  // These and those.
  constexpr KindSet with(KindSet others) const {
    others.bits_ |= bits_;
    return others;
  }
  friend constexpr bool operator==(KindSet, KindSet) = default;

 private:
  static constexpr unsigned bit(Kind kind) { return 1u << static_cast<unsigned>(kind); }
  unsigned bits_ = 0;
};

// What processes tell each other about a run, as opposed to what nodes do.
inline constexpr KindSet process_kinds = {Kind::options, Kind::facts, Kind::summaries, Kind::failures};

}  // namespace choir
