// Dictionaries change little from round to round, and those of neighbours have much in common. What a node
// and its neighbour told each other in the round before, both have: such an atom travels as its place there,
// the others as samples.
//
//   CommonAtoms common(features, neighbours);
//   const PackedAtoms packed = common.pack(f.atoms, position);      // for the neighbour at this position
//   const Samples theirs = common.unpack(received, position);
//   common.close_round(f.atoms, heard);                             // heard[position]: what unpack gave
#pragma once

#include <cstdint>
#include <vector>

#include "choir/linalg/types.h"

namespace choir::online_kernel {

struct PackedAtoms {
  MatrixOf<std::int64_t> places;  // A x 1: among what its sender sent before, then what it was sent; -1: new
  Samples news;                   // M x (as many as are new), in their order
};

class CommonAtoms {
 public:
  CommonAtoms(Index features, Index neighbors);

  PackedAtoms pack(const Samples& atoms, Index position) const;
  // Throws Error(BadData) for places that do not exist, and too few or too many new atoms.
  Samples unpack(const Eigen::Map<const MatrixOf<std::int64_t>>& places, const Eigen::Map<const Matrix>& news,
                 Index position) const;
  // What this node has just sent to all neighbours, and what each of them sent.
  void close_round(Samples sent, std::vector<Samples> heard);

 private:
  Samples sent_;
  std::vector<Samples> heard_;  // by position
};

}  // namespace choir::online_kernel
