#include "choir/run/parts/part_files.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/data/shards.h"
#include "choir/model/model_file.h"

namespace choir {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view placeholder = "{node}";

// The number that `name` has after `before`; what follows it is for the existence of the file to decide.
std::optional<Index> number_after(std::string_view name, std::string_view before) {
  if (!name.starts_with(before)) return std::nullopt;
  name.remove_prefix(before.size());
  const std::size_t end = std::min(name.find_first_not_of("0123456789"), name.size());
  const auto number = parse_integer(name.substr(0, end));
  return number ? std::optional<Index>(*number) : std::nullopt;
}

Index nodes_of_run(const ModelFile& file) {
  const auto found = file.parameters.find("nodes");
  return found == file.parameters.end() ? 0 : parse_integer(found->second).value_or(0);
}

struct LoadedPart {
  Part part;
  Index nodes;
};

std::optional<Part> part_in(const Model& model) {
  if (const auto* linear = std::get_if<LinearPart>(&model)) return *linear;
  if (const auto* kernel = std::get_if<KernelPart>(&model)) return *kernel;
  return std::nullopt;
}

LoadedPart load_part(const std::string& path, const std::string& use, Index number) {
  const ModelFile file = load_model(path);
  std::optional<Part> part = part_in(file.answer(use));
  if (!part) {
    fail(ErrorCategory::InvalidArgument,
         "{} is a whole model, not one party's part; give it alone, without {{node}} in --model", path);
  }
  if (file.node != number) {
    fail(ErrorCategory::InvalidArgument,
         "{} is the part of node {}; let it keep the name it was written with", path, file.node);
  }
  return {std::move(*part), nodes_of_run(file)};
}

// The part's own columns of data that have all of them.
Samples own_coordinates(const Dataset& whole, const Part& part, const std::string& model) {
  const std::vector<std::int64_t>& known = columns_of(part);
  if (known.empty()) {
    fail(ErrorCategory::InvalidArgument,
         "{} does not know which columns of {} are its own; give every node's own data: --data "
         "'part-{{node}}.npy'",
         model, whole.source);
  }
  if (known.back() >= whole.features()) {
    fail(ErrorCategory::InvalidArgument,
         "{} has {} features but {} needs number {}, counted from 0; use data with the same columns",
         whole.source, whole.features(), model, known.back());
  }
  const std::vector<Index> columns(known.begin(), known.end());
  return take_features(whole, columns).samples;
}

Samples own_shard(const Dataset& shard, const Part& part, const std::string& model) {
  if (shard.features() != features(part)) {
    fail(ErrorCategory::InvalidArgument,
         "{} has {} features but {} was fitted to {}; use data with the same columns", shard.source,
         shard.features(), model, features(part));
  }
  return shard.samples;
}

// What parts of one model have in common, in words.
std::string size_words(const Part& part) {
  if (const auto* kernel = std::get_if<KernelPart>(&part)) return "the kernel " + describe(kernel->kernel);
  return fmt::format("{} components", std::get<LinearPart>(part).components());
}

PartFacts facts_of(const Part& part) {
  return {.kind = needs_all_parts(part) ? "a part of kernel components" : "a part of linear components",
          .size = size_words(part),
          .training_samples = std::visit([](const auto& any) { return any.training_samples; }, part),
          .features = features(part),
          .has_answer = has_answer(part),
          .needs_all = needs_all_parts(part)};
}

void require_same(const std::string& one, const std::string& other, const std::string& its_file,
                  const std::string& other_file, const char* remedy) {
  if (one == other) return;
  fail(ErrorCategory::InvalidArgument, "{} has {} but {} has {}; {}", other_file, other, its_file, one,
       remedy);
}

void require_one_model(const PartFacts& one, const PartFacts& other) {
  constexpr const char* remedy = "give parts of one run";
  const auto training = [](const PartFacts& part) {
    return fmt::format("{} training samples", part.training_samples);
  };
  require_same(one.kind, other.kind, one.model, other.model, remedy);
  require_same(one.size, other.size, one.model, other.model, remedy);
  require_same(training(one), training(other), one.model, other.model, remedy);
}

void require_same_samples(const PartFacts& one, const PartFacts& other) {
  const auto size = [](const PartFacts& part) { return fmt::format("{} samples", part.samples); };
  require_same(size(one), size(other), one.data, other.data,
               "all nodes need their coordinates of the same samples");
}

void require_answer(const std::vector<PartFacts>& parts) {
  if (std::any_of(parts.begin(), parts.end(), [](const PartFacts& part) { return part.has_answer; })) return;
  fail(ErrorCategory::InvalidArgument,
       "no part has the answer: {} and the others only add to sums; add the model of the node that was the "
       "centre",
       parts.front().model);
}

void require_all(const PartFacts& first, const std::vector<Index>& missing) {
  if (missing.empty() || !first.needs_all) return;
  fail(ErrorCategory::InvalidArgument,
       "there is no part of node{} {}, and a kernel's model answers from all of them; put {} beside {}",
       missing.size() == 1 ? "" : "s", fmt::join(missing, ", "), missing.size() == 1 ? "it" : "them",
       first.model);
}

// Numbers that a run of so many nodes would have, and that are not there.
std::vector<Index> missing_of(const std::vector<Index>& numbers, Index nodes) {
  std::vector<Index> missing;
  for (Index number = 0; number < std::max(nodes, numbers.back() + 1); ++number) {
    if (!std::binary_search(numbers.begin(), numbers.end(), number)) missing.push_back(number);
  }
  return missing;
}

// With all parts there, every column is somebody's.
void check_columns(const std::vector<PartFacts>& parts) {
  const PartFacts& first = parts.front();
  Index known = 0;
  for (const PartFacts& part : parts) known += part.features;
  if (first.data_columns == 0 || first.data_columns == known) return;
  fail(ErrorCategory::InvalidArgument,
       "{} has {} features but the parts were fitted to {} together; use data with the same columns",
       first.data, first.data_columns, known);
}

}  // namespace

bool names_parts(const std::string& model) { return model.find(placeholder) != std::string::npos; }

std::vector<Index> find_parts(const std::string& pattern) {
  const std::size_t at = pattern.find(placeholder);
  const fs::path before = pattern.substr(0, at);  // "runs/a/model-"
  const fs::path folder = before.has_parent_path() ? before.parent_path() : fs::path(".");
  std::vector<Index> numbers;
  std::error_code unreadable;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, unreadable)) {
    const auto number = number_after(entry.path().filename().string(), before.filename().string());
    if (number && fs::is_regular_file(expand_shard_pattern(pattern, *number))) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (numbers.empty()) {
    fail(ErrorCategory::Io, "there is no file {} for any number in place of {{node}}; check the folder",
         pattern);
  }
  return numbers;
}

OwnParts read_own_parts(const PartSources& sources, const std::vector<Index>& numbers, const NodeRange& own) {
  OwnParts result;
  const ReadOptions reading{.key = sources.key};
  std::optional<Dataset> whole;
  if (!is_shard_pattern(sources.data)) whole = read_dataset(sources.data, reading);
  for (NodeId node = own.first; node < own.last; ++node) {
    const Index number = numbers[static_cast<std::size_t>(node)];
    const std::string model = expand_shard_pattern(sources.model, number);
    auto [part, nodes] = load_part(model, sources.use, number);
    if (whole) {
      result.samples.push_back(own_coordinates(*whole, part, model));
      result.orders.push_back(SampleOrder::assumed(whole->size()));
    } else {
      Dataset shard = read_shard(sources.data, number, reading);
      result.samples.push_back(own_shard(shard, part, model));
      result.orders.push_back({.keys = std::move(shard.keys), .samples = shard.size()});
    }
    result.origins.push_back({.model = model,
                              .data = expand_shard_pattern(sources.data, number),
                              .nodes = nodes,
                              .data_columns = whole ? whole->features() : 0});
    result.parts.push_back(std::move(part));
  }
  return result;
}

std::vector<PartFacts> facts_of(const OwnParts& own) {
  std::vector<PartFacts> facts;
  for (std::size_t i = 0; i < own.parts.size(); ++i) {
    PartFacts part = facts_of(own.parts[i]);
    part.model = own.origins[i].model;
    part.data = own.origins[i].data;
    part.nodes = own.origins[i].nodes;
    part.data_columns = own.origins[i].data_columns;
    part.samples = own.samples[i].cols();
    facts.push_back(std::move(part));
  }
  return facts;
}

PartsSummary check_parts(const std::vector<PartFacts>& parts, const std::vector<Index>& numbers) {
  const PartFacts& first = parts.front();
  for (const PartFacts& part : parts) {
    require_one_model(first, part);
    require_same_samples(first, part);
  }
  const PartsSummary summary{missing_of(numbers, first.nodes)};
  require_all(first, summary.missing);
  require_answer(parts);
  if (summary.missing.empty()) check_columns(parts);
  return summary;
}

}  // namespace choir
