// OpenBLAS's own threads, switched off. choir splits work above BLAS (base/parallel.h), so that threads never
// multiply and results do not depend on how many BLAS would have used.
//
//   const SingleThreadedBlas scope;     // until the end of the block
//
// The setting is the process's. Scopes may nest and overlap between threads: the first one switches BLAS to
// one thread, the last one gives it back what it had. Every public entry of learn and model opens one.
#pragma once

#include <string>

namespace choir {

class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;
};

// How many threads BLAS would use now.
int blas_threads();

// The processor whose kernels it uses: "SkylakeX".
std::string blas_core();

// "OpenBLAS 0.3.21 (SkylakeX)"
std::string blas_description();

}  // namespace choir
