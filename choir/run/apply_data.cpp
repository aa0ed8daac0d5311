#include "choir/run/apply_data.h"

#include <utility>

#include "choir/base/error.h"
#include "choir/data/stream.h"

namespace choir {
namespace {

// Words are read where records are.
Dataset read_with_words(const std::string& data, const std::string& labels, const TargetRule& rule) {
  TargetedSamples all = rest_of(*open_stream(data, {.target = labels, .targets = rule}));
  Dataset dataset;
  dataset.samples = std::move(all.samples);
  dataset.labels.assign(all.targets.begin(), all.targets.end());
  dataset.source = data;
  return dataset;
}

}  // namespace

void require_features(const Model& model, const std::string& path, const std::string& data, Index found) {
  if (found == features(model)) return;
  fail(ErrorCategory::InvalidArgument,
       "{} has {} features but the model {} was fitted to {}; use data with the same columns", data, found,
       path, features(model));
}

TargetRule label_rule_of(const Model& model) {
  const auto* machine = std::get_if<KernelMachine>(&model);
  return machine && !machine->class_names.empty() ? word_labels(machine->class_names) : TargetRule();
}

Dataset read_data_for(const Model& model, const std::string& path, const std::string& data,
                      const ReadOptions& options) {
  const TargetRule rule = label_rule_of(model);
  const bool has_words = rule.of_text && !options.labels.empty();
  Dataset dataset = has_words ? read_with_words(data, options.labels, rule) : read_dataset(data, options);
  require_features(model, path, data, dataset.features());
  return dataset;
}

}  // namespace choir
