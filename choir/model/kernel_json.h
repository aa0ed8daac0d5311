// A kernel as manifests of models and checkpoints hold it, for any of nlohmann's JSON types.
#pragma once

#include "choir/kernel/kernel.h"

namespace choir {

template <class Json>
Json kernel_json(const Kernel& kernel) {
  return {{"kind", to_string(kernel.kind)},
          {"gamma", kernel.gamma},
          {"degree", kernel.degree},
          {"coef0", kernel.coef0},
          {"normalized", kernel.normalized}};
}

}  // namespace choir
