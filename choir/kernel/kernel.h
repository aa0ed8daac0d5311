// Kernel functions, in scikit-learn's words and formulas:
//
//  rbf        exp(-gamma ||x - y||^2)            linear   x'y
//  laplacian  exp(-gamma ||x - y||_1)            cosine   x'y / (||x|| ||y||)
//  poly       (gamma x'y + coef0)^degree         sigmoid  tanh(gamma x'y + coef0)
//
//   const Kernel kernel{.kind = KernelKind::rbf, .gamma = 2e-7};
//
// `normalized` divides by sqrt(k(x,x) k(y,y)), so that k(x,x) = 1.
#pragma once

#include <string>

#include "choir/base/choices.h"

namespace choir {

enum class KernelKind { rbf, linear, poly, laplacian, sigmoid, cosine };

struct Kernel {
  KernelKind kind = KernelKind::rbf;
  double gamma = 1;  // rbf, laplacian, poly, sigmoid; already resolved to a number
  int degree = 3;    // poly
  double coef0 = 1;  // poly, sigmoid
  bool normalized = false;

  friend bool operator==(const Kernel&, const Kernel&) = default;
};

ChoiceNames<KernelKind> choice_names(KernelKind);

bool uses_gamma(KernelKind kind);

// "rbf (gamma 2e-07)"
std::string describe(const Kernel& kernel);

// Throws Error(InvalidArgument) if gamma is not positive and finite, degree < 1, coef0 not finite, ...
void validate(const Kernel& kernel);

}  // namespace choir
