#include "choir/learn/federated_kmeans/participation.h"

#include <algorithm>

#include "choir/base/error.h"

namespace choir::federated_kmeans {

void require_answers(const Options& options, const std::vector<Index>& samples) {
  const auto devices = static_cast<Index>(samples.size());
  if (devices < options.min_devices) {
    fail(ErrorCategory::InvalidArgument,
         "a sum must be of at least {} devices (--min-devices), or it would show what one of them has, and "
         "there {} {}; use more --nodes",
         options.min_devices, devices == 1 ? "is" : "are", devices);
  }
  const Index fewest = fewest_unmasked(options);
  const auto answering =
      std::count_if(samples.begin(), samples.end(), [&](Index size) { return size > fewest; });
  if (uses_masks(options) || answering >= options.min_devices) return;
  fail(ErrorCategory::InvalidArgument,
       "without masks a device with {} samples or fewer does not answer, as its sums would show them, and {} "
       "of {} devices have more; use a server and --masks on, or fewer landmarks or features (--n-landmarks, "
       "--n-features)",
       fewest, answering, devices);
}

}  // namespace choir::federated_kmeans
