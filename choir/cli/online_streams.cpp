#include "choir/cli/online_streams.h"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/base/rng.h"
#include "choir/base/text.h"
#include "choir/cli/fit_data.h"
#include "choir/cli/label_selection.h"
#include "choir/data/arrays.h"
#include "choir/data/partition.h"
#include "choir/data/shards.h"

namespace choir::cli {
namespace {

using Streams = std::vector<std::unique_ptr<SampleStream>>;
constexpr Purpose order_purpose("online stream order");
constexpr Index chunk = 4096;  // samples read at once where nobody waits for them

bool is_standard_input(const OnlineArguments& arguments) { return arguments.fit.data == "-"; }
bool is_read_as_it_goes(const OnlineArguments& arguments) {
  return is_shard_pattern(arguments.fit.data) || arguments.fit.by == "turn";
}

Vector targets_of(const std::vector<std::int64_t>& labels) {
  Vector targets(std::ssize(labels));
  for (Index i = 0; i < targets.size(); ++i) {
    targets(i) = static_cast<double>(labels[static_cast<std::size_t>(i)]);
  }
  return targets;
}

std::unique_ptr<SampleStream> own_stream(const OnlineArguments& arguments, Index nodes, NodeId node) {
  const FitOptions& options = arguments.fit;
  StreamOptions reading{.target = options.labels, .passes = arguments.passes};
  if (!is_shard_pattern(options.data)) {
    reading.stride = nodes;
    reading.offset = node;
    return open_stream(options.data, reading);
  }
  reading.target = expand_shard_pattern(options.labels, node);
  return open_stream(expand_shard_pattern(options.data, node), reading);
}

// Parts may be dealt out label by label, and then the first batches, which decide about gamma and the step,
// would be of one class.
std::vector<Index> shuffled(const std::vector<Index>& part, std::uint64_t seed, NodeId node) {
  Rng random(seed, order_purpose, static_cast<std::uint64_t>(node));
  std::vector<Index> order = random.permutation(std::ssize(part));
  for (Index& place : order) place = part[static_cast<std::size_t>(place)];
  return order;
}

Streams streams_from_memory(const OnlineArguments& arguments, Index nodes, const NodeRange& own) {
  const FitOptions& options = arguments.fit;
  const Dataset dataset =
      selected(read_dataset(options.data, {.labels = options.labels}), options.select_labels);
  const Partition parts = partition(parse_partition(options.by), nodes, dataset, options.random_state);
  Streams streams;
  for (NodeId node = own.first; node < own.last; ++node) {
    const std::vector<Index>& own_part = parts[static_cast<std::size_t>(node)];
    Dataset part = take_samples(dataset, shuffled(own_part, options.random_state, node));
    Vector targets = targets_of(part.labels);
    streams.push_back(
        stream_of({.samples = std::move(part.samples), .targets = std::move(targets)}, arguments.passes));
  }
  return streams;
}

Streams own_streams(const OnlineArguments& arguments, Index nodes, const NodeRange& own) {
  if (!is_read_as_it_goes(arguments)) return streams_from_memory(arguments, nodes, own);
  if (is_standard_input(arguments))
    return deal_stream(open_stream("-", {.target = arguments.fit.labels}), nodes);
  Streams streams;
  for (NodeId node = own.first; node < own.last; ++node)
    streams.push_back(own_stream(arguments, nodes, node));
  return streams;
}

// Reads every label once.
std::vector<std::int64_t> labels_in(const Streams& streams) {
  std::set<std::int64_t> labels;
  for (const auto& stream : streams) {
    while (const auto batch = stream->next(chunk)) {
      for (const double target : batch->targets) {
        labels.insert(to_whole_number(target, [] { return std::string("a label"); }));
      }
    }
  }
  return {labels.begin(), labels.end()};
}

// What all processes together have.
std::vector<std::int64_t> united(const std::vector<std::int64_t>& own, ProcessGroup& processes) {
  std::set<std::int64_t> all;
  for (const std::string& text : processes.gather(fmt::format("{}", fmt::join(own, ",")))) {
    for (const std::string_view word : split(text, ',')) {
      if (const auto label = parse_integer(word)) all.insert(*label);
    }
  }
  return {all.begin(), all.end()};
}

void check_streams(const OnlineArguments& arguments, const OnlineKernelOptions& method,
                   ProcessGroup& processes) {
  const FitOptions& options = arguments.fit;
  if (!options.select_labels.empty() && is_read_as_it_goes(arguments)) {
    throw Error(ErrorCategory::InvalidArgument,
                "--select-labels needs data in memory; say --by iid as well, or select before");
  }
  if (!is_read_as_it_goes(arguments) && !is_classification(method.loss)) {
    fail(ErrorCategory::InvalidArgument,
         "--by {} deals out samples with labels; values are read as they go, with --by turn", options.by);
  }
  if (!is_standard_input(arguments)) return;
  if (processes.engine().own_nodes(1).size() < 1 || options.engine == "mpi") {
    throw Error(ErrorCategory::InvalidArgument,
                "standard input is one process's alone; give the ranks files of their own: --data "
                "'stream-{rank}.csv'");
  }
  if (arguments.passes > 1) {
    throw Error(ErrorCategory::InvalidArgument, "standard input can be read once; leave out --passes");
  }
  if (is_classification(method.loss) && method.classes.empty()) {
    throw Error(ErrorCategory::InvalidArgument,
                "nobody knows yet which labels standard input will bring; say --classes 0,1,2");
  }
}

Index common_features(const Streams& streams, ProcessGroup& processes) {
  const Index own = streams.empty() ? 0 : streams.front()->features();
  const std::vector<std::string> all = processes.gather(fmt::format("{}", own));
  return processes.together([&] {
    Index features = own;
    for (const std::string& text : all) features = std::max(features, Index{parse_integer(text).value_or(0)});
    for (const auto& stream : streams) {
      if (stream->features() == features) continue;
      fail(ErrorCategory::BadData, "one node's stream has {} features but another's has {}",
           stream->features(), features);
    }
    return features;
  });
}

}  // namespace

OnlineData open_streams(const OnlineArguments& arguments, const OnlineKernelOptions& method,
                        ProcessGroup& processes) {
  OnlineData data;
  data.nodes = count_nodes(arguments.fit, processes);
  data.own = processes.engine().own_nodes(data.nodes);
  processes.together([&] { check_streams(arguments, method, processes); });
  data.streams = processes.together([&] { return own_streams(arguments, data.nodes, data.own); });
  data.features = common_features(data.streams, processes);
  data.classes = method.classes;
  if (!is_classification(method.loss) || !data.classes.empty()) return data;
  OnlineArguments once = arguments;
  once.passes = 1;
  const std::vector<std::int64_t> labels =
      processes.together([&] { return labels_in(own_streams(once, data.nodes, data.own)); });
  data.classes = united(labels, processes);
  return data;
}

TargetedSamples read_targeted(const std::string& source, const std::string& labels, Loss loss) {
  if (!is_classification(loss)) {
    auto all = open_stream(source, {.target = labels})->next(std::numeric_limits<Index>::max());
    if (!all) fail(ErrorCategory::BadData, "{} has no sample", source);
    return std::move(*all);
  }
  Dataset dataset = read_dataset(source, {.labels = labels});
  Vector targets = targets_of(dataset.labels);
  return {.samples = std::move(dataset.samples), .targets = std::move(targets)};
}

}  // namespace choir::cli
