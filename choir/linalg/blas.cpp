#include "choir/linalg/blas.h"

#include <string_view>

#include <cblas.h>
#include <fmt/format.h>

#include "choir/base/parallel.h"
#include "choir/base/text.h"

namespace choir {

BlasThreads::BlasThreads(int threads) : before_(openblas_get_num_threads()) {
  openblas_set_num_threads(resolve_threads(threads));
}

BlasThreads::~BlasThreads() { openblas_set_num_threads(before_); }

std::string blas_description() {
  // The configuration reads "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...".
  const auto words = split(openblas_get_config(), ' ');
  const int threads = openblas_get_num_threads();
  return fmt::format("{} {} ({}, {} thread{})", words[0], words.size() > 1 ? words[1] : std::string_view("?"),
                     openblas_get_corename(), threads, threads == 1 ? "" : "s");
}

}  // namespace choir
