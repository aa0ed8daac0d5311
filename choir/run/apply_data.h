// New samples for a saved model.
#pragma once

#include <string>

#include "choir/data/dataset.h"
#include "choir/data/target_rule.h"
#include "choir/model/model_file.h"

namespace choir {

// Throws Error(InvalidArgument) if data called `data` have not the model's features; `path` is where the
// model was.
void require_features(const Model& model, const std::string& path, const std::string& data, Index found);

// What true labels beside new samples may be: words if the model's classes are.
TargetRule label_rule_of(const Model& model);

// The same refusals. Labels that are words become their places.
Dataset read_data_for(const Model& model, const std::string& path, const std::string& data,
                      const ReadOptions& options = {});

}  // namespace choir
