#include "choir/cli/online_streams.h"

#include <algorithm>
#include <optional>
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

bool is_read_as_it_goes(const OnlineArguments& arguments) {
  return is_shard_pattern(arguments.fit.data) || arguments.fit.by == "turn";
}

// A file of samples with their labels or values, whole.
Dataset read_whole(const std::string& source, const std::string& labels, Loss loss) {
  return read_dataset(source, {.labels = labels, .real_labels = !is_classification(loss)});
}

// Of labels and values a dataset has one kind.
TargetedSamples targeted(Dataset dataset) {
  Vector targets(std::ssize(dataset.labels) + std::ssize(dataset.values));
  std::copy(dataset.labels.begin(), dataset.labels.end(), targets.begin());
  std::copy(dataset.values.begin(), dataset.values.end(), targets.begin());
  return {.samples = std::move(dataset.samples), .targets = std::move(targets)};
}

// Parts may be dealt out label by label, and then the first batches, which decide about gamma and the step,
// would be of one class.
std::vector<Index> shuffled(const std::vector<Index>& part, std::uint64_t seed, NodeId node) {
  Rng random(seed, order_purpose, static_cast<std::uint64_t>(node));
  std::vector<Index> order = random.permutation(std::ssize(part));
  for (Index& place : order) place = part[static_cast<std::size_t>(place)];
  return order;
}

// Only what a file holds tells: lines of ndjson carry their targets, whatever the file is called.
void require_targets(const std::optional<TargetedSamples>& samples, const std::string& source) {
  if (!samples || samples->targets.size() > 0) return;
  fail(ErrorCategory::InvalidArgument,
       "there is nothing to learn from {}; say which column of a csv file has the label or value with "
       "--labels, or which file",
       source);
}

// Where a node's samples come from, and their labels.
struct Source {
  std::string data;
  std::string labels;

  bool has_pipe() const { return is_pipe(data) || is_pipe(labels); }
  const std::string& pipe() const { return is_pipe(data) ? data : labels; }
};

Source source_of(const FitOptions& options, NodeId node) {
  if (!is_shard_pattern(options.data)) return {.data = options.data, .labels = options.labels};
  return {.data = expand_shard_pattern(options.data, node),
          .labels = expand_shard_pattern(options.labels, node)};
}

// The first pipe that a node of this process reads; empty: none.
std::string find_pipe(const FitOptions& options, const NodeRange& own) {
  for (NodeId node = own.first; node < own.last; ++node) {
    if (const Source source = source_of(options, node); source.has_pipe())
      return source.pipe() == "-" ? "standard input" : source.pipe();
  }
  return {};
}

Streams streams_from_memory(const OnlineArguments& arguments, Index passes, const OnlineData& data) {
  const FitOptions& options = arguments.fit;
  const Dataset dataset =
      selected(read_whole(options.data, options.labels, parse_loss(arguments.loss)), options.select_labels);
  const Partition parts = partition(parse_partition(options.by), data.nodes, dataset, options.random_state);
  Streams streams;
  for (NodeId node = data.own.first; node < data.own.last; ++node) {
    const std::vector<Index>& own_part = parts[static_cast<std::size_t>(node)];
    TargetedSamples part = targeted(take_samples(dataset, shuffled(own_part, options.random_state, node)));
    require_targets(part, options.data);
    streams.push_back(stream_of(std::move(part), passes));
  }
  return streams;
}

Streams own_streams(const OnlineArguments& arguments, const OnlineData& data, StreamOptions reading) {
  if (!is_read_as_it_goes(arguments)) return streams_from_memory(arguments, reading.passes, data);
  const bool shared = !is_shard_pattern(arguments.fit.data);
  Streams streams;
  for (NodeId node = data.own.first; node < data.own.last; ++node) {
    const Source source = source_of(arguments.fit, node);
    reading.target = source.labels;
    if (source.labels.empty() && !source.has_pipe())
      require_targets(open_stream(source.data)->next(1), source.data);
    if (shared && source.has_pipe()) return deal_stream(open_stream(source.data, reading), data.nodes);
    if (shared) {
      reading.stride = data.nodes;
      reading.offset = node;
    }
    streams.push_back(open_stream(source.data, reading));
  }
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

void check_streams(const OnlineArguments& arguments) {
  const FitOptions& options = arguments.fit;
  if (!options.select_labels.empty() && is_read_as_it_goes(arguments)) {
    throw Error(ErrorCategory::InvalidArgument,
                "--select-labels needs data in memory; say --by iid as well, or select before");
  }
  if (is_shard_pattern(options.data) && options.by != "turn") {
    fail(ErrorCategory::InvalidArgument,
         "--by {} deals out one file, but {} is a stream for every node already; leave --by out", options.by,
         options.data);
  }
}

void check_pipe(const std::string& pipe, const OnlineArguments& arguments,
                const OnlineKernelOptions& method) {
  const FitOptions& options = arguments.fit;
  if (pipe.empty()) return;
  if (!is_shard_pattern(options.data) && options.engine == "mpi") {
    fail(ErrorCategory::InvalidArgument,
         "{} is one process's alone; give the ranks streams of their own: --data 'stream-{{rank}}.csv'",
         pipe);
  }
  if (!is_read_as_it_goes(arguments)) {
    fail(ErrorCategory::InvalidArgument, "--by {} deals out what is in memory; {} is read as it comes",
         options.by, pipe);
  }
  if (arguments.passes > 1) {
    fail(ErrorCategory::InvalidArgument, "{} can be read once; leave out --passes", pipe);
  }
  if (is_classification(method.loss) && method.classes.empty()) {
    fail(ErrorCategory::InvalidArgument, "nobody knows yet which labels {} will bring; say --classes 0,1,2",
         pipe);
  }
}

// Whether some process has one.
bool is_anywhere(bool here, ProcessGroup& processes) {
  const std::vector<std::string> all = processes.gather(here ? "yes" : "no");
  return std::find(all.begin(), all.end(), "yes") != all.end();
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

std::vector<std::string> StreamWarnings::gathered(ProcessGroup& processes) const {
  const std::lock_guard lock(mutex_);
  const std::string own = fmt::format("{}", fmt::join(sentences_, "\n"));
  std::vector<std::string> all;
  for (const std::string& text : processes.gather(own)) {
    for (const std::string_view line : split(text, '\n')) {
      if (!line.empty()) all.emplace_back(line);
    }
  }
  return all;
}

OnlineData open_streams(const OnlineArguments& arguments, const OnlineKernelOptions& method,
                        ProcessGroup& processes) {
  OnlineData data;
  data.nodes = count_nodes(arguments.fit, processes);
  data.own = processes.engine().own_nodes(data.nodes);
  const std::string pipe = find_pipe(arguments.fit, data.own);
  processes.together([&] {
    check_streams(arguments);
    check_pipe(pipe, arguments, method);
  });
  data.ends_on_interrupt = is_anywhere(!pipe.empty(), processes);
  StreamOptions reading{.passes = arguments.passes};
  if (data.ends_on_interrupt) reading.stop = method.watch.stop;
  reading.warn = [warnings = data.warnings](const std::string& sentence) { warnings->add(sentence); };
  data.streams = processes.together([&] { return own_streams(arguments, data, reading); });
  data.features = common_features(data.streams, processes);
  data.classes = method.classes;
  if (!is_classification(method.loss) || !data.classes.empty()) return data;
  reading.passes = 1;
  const std::vector<std::int64_t> labels =
      processes.together([&] { return labels_in(own_streams(arguments, data, reading)); });
  data.classes = united(labels, processes);
  return data;
}

TargetedSamples read_targeted(const std::string& source, const std::string& labels, Loss loss) {
  return targeted(read_whole(source, labels, loss));
}

}  // namespace choir::cli
