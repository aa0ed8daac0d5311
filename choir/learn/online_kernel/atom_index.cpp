#include "choir/learn/online_kernel/atom_index.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace choir::online_kernel {

AtomIndex::AtomIndex(const Samples& atoms) : atoms_(atoms) {
  for (Index n = 0; n < atoms.cols(); ++n) places_.emplace(key(atoms.col(n).data()), n);
}

Index AtomIndex::find(const double* sample) const {
  const std::size_t bytes = static_cast<std::size_t>(atoms_.rows()) * sizeof(double);
  Index place = -1;
  const auto [first, last] = places_.equal_range(key(sample));
  for (auto entry = first; entry != last; ++entry) {
    const Index other = entry->second;
    if (std::memcmp(atoms_.col(other).data(), sample, bytes) != 0) continue;
    place = place < 0 ? other : std::min(place, other);
  }
  return place;
}

std::uint64_t AtomIndex::key(const double* sample) const {
  std::uint64_t sum = 0;
  for (Index m = 0; m < atoms_.rows(); ++m) {
    sum += std::bit_cast<std::uint64_t>(sample[m]) * static_cast<std::uint64_t>(2 * m + 1);
  }
  return sum;
}

}  // namespace choir::online_kernel
