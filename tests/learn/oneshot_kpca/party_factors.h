// Factors of parties that share out the features of some samples.
#pragma once

#include <vector>

#include "learn/oneshot_kpca/toy.h"

#include "choir/learn/oneshot_kpca/factors.h"

namespace choir::testing {

inline std::vector<oneshot_kpca::KernelFactor> kernel_factors(const Kernel& kernel, const Samples& samples,
                                                              Index parties,
                                                              const oneshot_kpca::FactorSize& size) {
  std::vector<oneshot_kpca::KernelFactor> factors;
  for (const Samples& part : parties_of(samples, parties)) {
    factors.push_back(kernel_factor(kernel, part, size));
  }
  return factors;
}

inline std::vector<oneshot_kpca::DistanceFactor> distance_factors(const Samples& samples, Index parties,
                                                                  const oneshot_kpca::FactorSize& size) {
  std::vector<oneshot_kpca::DistanceFactor> factors;
  for (const Samples& part : parties_of(samples, parties)) factors.push_back(distance_factor(part, size));
  return factors;
}

}  // namespace choir::testing
