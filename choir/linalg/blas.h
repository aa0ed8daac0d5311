// OpenBLAS's own threads. choir runs BLAS on one thread and splits work above it, so that threads never
// multiply; a caller that is alone in the process lends a factorisation more for a while.
//
//   const BlasThreads scope(4);     // until the end of the block
//
// The setting is the process's, not the thread's: open a scope only where nothing else calls BLAS.
#pragma once

#include <string>

namespace choir {

class BlasThreads {
 public:
  explicit BlasThreads(int threads);  // 0: all cores
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;
  BlasThreads& operator=(const BlasThreads&) = delete;

 private:
  int before_;
};

// "OpenBLAS 0.3.21 (Zen, 1 thread)"
std::string blas_description();

}  // namespace choir
