#include "choir/data/ndjson_reader.h"

#include <limits>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/data/arrays.h"
#include "choir/data/ndjson_stream.h"

namespace choir {
namespace {

void take_labels(const std::vector<double>& targets, const ReadOptions& options, Dataset& dataset,
                 const std::string& name) {
  if (options.real_labels) {
    dataset.values = targets;
    return;
  }
  try {
    for (const double target : targets) {
      dataset.labels.push_back(to_whole_number(
          target, [&] { return fmt::format("{}: the target of row {}", name, dataset.labels.size() + 1); }));
    }
  } catch (const Error&) {
    if (!options.labels.empty()) throw;
    dataset.labels.clear();
  }
}

}  // namespace

Dataset decode_ndjson(std::string_view text, const std::string& name, const ReadOptions& options) {
  const auto rows = open_ndjson_rows(TextWindow(std::string(text), name), options.labels);
  const auto count = static_cast<Index>(rows->skip(std::numeric_limits<std::int64_t>::max()));
  const Index shape[] = {count, rows->features()};
  table_shape(shape, name, memory_budget(options.max_bytes));
  rows->rewind();

  Dataset dataset;
  dataset.type = "text";
  dataset.samples.resize(rows->features(), count);
  std::vector<double> targets(rows->has_targets() ? static_cast<std::size_t>(count) : 0);
  rows->read(count, {dataset.samples.data(), static_cast<std::size_t>(dataset.samples.size())}, targets);
  take_labels(targets, options, dataset, name);
  return dataset;
}

bool looks_like_ndjson(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text = trim(text);
  if (!text.starts_with('{') && !text.starts_with('[')) return false;
  // A csv header may have names in brackets, as [V] of a unit.
  const std::string_view inside = trim(text.substr(1, 64));
  if (inside.empty()) return true;
  return text.starts_with('{') ? inside.find_first_of("\"}") == 0
                               : inside.find_first_of("\"]{[-0123456789") == 0;
}

}  // namespace choir
