#include "choir/linalg/blas.h"

#include <mutex>
#include <string_view>

#include <cblas.h>
#include <fmt/format.h>

#include "choir/base/text.h"

namespace choir {
namespace {

// BLAS has one number of threads per process, so who asked for one thread is counted per process too.
std::mutex counting;
int open_scopes = 0;
int threads_before = 0;

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  const std::lock_guard lock(counting);
  if (open_scopes++ > 0) return;
  threads_before = openblas_get_num_threads();
  openblas_set_num_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  const std::lock_guard lock(counting);
  if (--open_scopes == 0) openblas_set_num_threads(threads_before);
}

int blas_threads() { return openblas_get_num_threads(); }

std::string blas_core() { return openblas_get_corename(); }

std::string blas_description() {
  // The configuration reads "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...".
  const auto words = split(openblas_get_config(), ' ');
  return fmt::format("{} {} ({})", words[0], words.size() > 1 ? words[1] : std::string_view("?"),
                     blas_core());
}

}  // namespace choir
