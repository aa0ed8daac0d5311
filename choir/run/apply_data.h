// New samples for a saved model.
#pragma once

#include <string>

#include "choir/data/dataset.h"
#include "choir/model/model_file.h"

namespace choir {

// Throws Error(InvalidArgument) if the data have not the model's features; `path` is where the model was.
Dataset read_data_for(const Model& model, const std::string& path, const std::string& data,
                      const ReadOptions& options = {});

}  // namespace choir
