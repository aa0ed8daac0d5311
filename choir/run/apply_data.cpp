#include "choir/run/apply_data.h"

#include "choir/base/error.h"

namespace choir {

Dataset read_data_for(const Model& model, const std::string& path, const std::string& data,
                      const ReadOptions& options) {
  Dataset dataset = read_dataset(data, options);
  if (dataset.features() != features(model)) {
    fail(ErrorCategory::InvalidArgument,
         "{} has {} features but the model {} was fitted to {}; use data with the same columns", data,
         dataset.features(), path, features(model));
  }
  return dataset;
}

}  // namespace choir
