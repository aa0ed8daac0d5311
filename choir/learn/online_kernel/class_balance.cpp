#include "choir/learn/online_kernel/class_balance.h"

namespace choir::online_kernel {

Vector count_classes(const Vector& targets, const Options& options) {
  Vector counts = Vector::Zero(static_cast<Index>(options.classes.size()));
  if (counts.size() == 0) return counts;
  for (const double place : targets) counts(static_cast<Index>(place)) += 1;
  return counts;
}

Vector class_offsets(const Vector& counts, const Options& options) {
  if (!is_classification(options.loss) || options.class_weights == ClassWeights::none)
    return Vector::Zero(outputs_of(options));
  const auto classes = static_cast<double>(counts.size());
  return (classes * (counts.array() + 1) / (counts.sum() + classes)).log();
}

}  // namespace choir::online_kernel
