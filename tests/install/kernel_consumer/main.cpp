// A kernel matrix, its largest eigenvalue, and an error that crosses the border of the library.
#include <cmath>
#include <cstdio>

#include <choir/base/error.h>
#include <choir/kernel/gram.h>

int main() {
  const choir::Kernel kernel{.kind = choir::KernelKind::linear};
  const choir::Matrix samples = choir::Matrix::Identity(3, 3);
  const choir::Matrix block = choir::gram<double>(kernel, samples, samples);
  if (std::abs(block.trace() - 3) > 1e-12) return 1;
  try {
    choir::parse_choice<choir::KernelKind>("kernel", "no such kernel");
  } catch (const choir::Error& error) {
    std::printf("%s\n", error.what());
    return error.category() == choir::ErrorCategory::InvalidArgument ? 0 : 1;
  }
  return 1;
}
