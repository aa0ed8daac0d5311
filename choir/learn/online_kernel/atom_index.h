// Atoms by their bits.
//
//   const AtomIndex index(atoms);
//   const Index place = index.find(sample.data());           // -1: not there
#pragma once

#include <cstdint>
#include <unordered_map>

#include "choir/linalg/types.h"

namespace choir::online_kernel {

class AtomIndex {
 public:
  explicit AtomIndex(const Samples& atoms);  // which must outlive it
  // The first atom whose bits are those of the sample; -1: none.
  Index find(const double* sample) const;

 private:
  std::uint64_t key(const double* sample) const;

  const Samples& atoms_;
  std::unordered_multimap<std::uint64_t, Index> places_;
};

}  // namespace choir::online_kernel
