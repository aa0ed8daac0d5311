// One kernel of every kind, with parameters under which each is well scaled on standard normal samples.
#pragma once

#include <vector>

#include "choir/kernel/kernel.h"

namespace choir::test {

inline std::vector<Kernel> every_kernel() {
  return {{.kind = KernelKind::rbf, .gamma = 0.1},
          {.kind = KernelKind::linear},
          {.kind = KernelKind::poly, .gamma = 0.1, .degree = 3, .coef0 = 1},
          {.kind = KernelKind::poly, .gamma = 0.05, .degree = 6, .coef0 = 0.5, .normalized = true},
          {.kind = KernelKind::laplacian, .gamma = 0.1},
          {.kind = KernelKind::sigmoid, .gamma = 0.1, .coef0 = 0.2},
          {.kind = KernelKind::cosine},
          {.kind = KernelKind::linear, .normalized = true}};
}

}  // namespace choir::test
