#include "choir/report/circumstances.h"

#include <ctime>

#include <fmt/chrono.h>

#include "choir/base/parallel.h"
#include "choir/linalg/blas.h"

namespace choir {

std::string time_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

nlohmann::ordered_json versions(const std::string& choir_version) {
  return {{"choir", choir_version}, {"blas", blas_description()}, {"cores", hardware_threads()}};
}

}  // namespace choir
