#include "choir/run/online/streams.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/rng.h"
#include "choir/data/arrays.h"
#include "choir/data/partition.h"
#include "choir/data/shards.h"
#include "choir/run/apply_data.h"
#include "choir/run/shards.h"
#include "choir/run/tables/table_shards.h"

namespace choir {
namespace {

using Streams = std::vector<std::unique_ptr<SampleStream>>;
constexpr Purpose order_purpose("online stream order");
constexpr Index chunk = 4096;  // samples read at once where nobody waits for them

bool is_read_as_it_goes(const DataSettings& data) { return is_shard_pattern(data.data) || data.by == "turn"; }

// A file of samples with their labels or values, whole.
Dataset read_whole(const std::string& source, const std::string& labels, const OnlineSettings& settings) {
  return read_dataset(source, {.labels = labels, .real_labels = !is_classification(settings.method.loss)});
}

// Of labels and values they have one kind.
template <class LabelledSamples>
TargetedSamples targeted(LabelledSamples data) {
  Vector targets(std::ssize(data.labels) + std::ssize(data.values));
  std::copy(data.labels.begin(), data.labels.end(), targets.begin());
  std::copy(data.values.begin(), data.values.end(), targets.begin());
  return {.samples = std::move(data.samples), .targets = std::move(targets)};
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
  fail(
      ErrorCategory::InvalidArgument,
      "{} has no labels or values to learn; use --labels to name the column of a csv file, or the file, that "
      "has the labels or values",
      source);
}

std::optional<TargetedSamples> first_sample(const std::string& source, const StreamOptions& reading) {
  return open_stream(source, {.targets = reading.targets, .on_bad_record = reading.on_bad_record})->next(1);
}

// Where a node's samples come from, and their labels.
struct Source {
  std::string data;
  std::string labels;

  bool has_pipe() const { return is_pipe(data) || is_pipe(labels); }
  const std::string& pipe() const { return is_pipe(data) ? data : labels; }
};

Source source_of(const DataSettings& data, NodeId node) {
  if (!is_shard_pattern(data.data)) return {.data = data.data, .labels = data.labels};
  return {.data = expand_shard_pattern(data.data, node), .labels = expand_shard_pattern(data.labels, node)};
}

// The first pipe that a node of this process reads; empty: none.
std::string find_pipe(const DataSettings& data, const NodeRange& own) {
  for (NodeId node = own.first; node < own.last; ++node) {
    if (const Source source = source_of(data, node); source.has_pipe())
      return source.pipe() == "-" ? "standard input" : source.pipe();
  }
  return {};
}

Streams streams_from_memory(const OnlineSettings& settings, Index passes, const OnlineData& data) {
  const std::uint64_t seed = settings.engine.random_state;
  const std::string& source = settings.data.data;
  const Dataset dataset =
      selected(read_whole(source, settings.data.labels, settings), settings.data.select_labels);
  const Partition parts = partition(parse_partition(settings.data.by), data.nodes, dataset, seed);
  Streams streams;
  for (NodeId node = data.own.first; node < data.own.last; ++node) {
    const std::vector<Index>& own_part = parts[static_cast<std::size_t>(node)];
    TargetedSamples part = targeted(take_samples(dataset, shuffled(own_part, seed, node)));
    require_targets(part, source);
    streams.push_back(stream_of(std::move(part), passes));
  }
  return streams;
}

// A pipe that is dealt out is one for all nodes. A run that goes on counts from the first line that it
// receives.
void find_pipes(const OnlineSettings& settings, OnlineData& data) {
  const bool shared = !is_shard_pattern(settings.data.data);
  std::shared_ptr<TakenSamples> pipe;
  for (NodeId node = data.own.first; node < data.own.last; ++node) {
    if (!source_of(settings.data, node).has_pipe()) continue;
    if (!pipe || !shared) {
      pipe = std::make_shared<TakenSamples>();
      if (settings.resume) pipe->go_on_in(taken_file(settings.checkpoint, node));
    }
    data.pipes[node] = pipe;
  }
}

Streams own_streams(const OnlineSettings& settings, const OnlineData& data, StreamOptions reading) {
  if (!is_read_as_it_goes(settings.data)) return streams_from_memory(settings, reading.passes, data);
  const bool shared = !is_shard_pattern(settings.data.data);
  Streams streams;
  for (NodeId node = data.own.first; node < data.own.last; ++node) {
    const Source source = source_of(settings.data, node);
    reading.target = source.labels;
    if (source.labels.empty() && !source.has_pipe())
      require_targets(first_sample(source.data, reading), source.data);
    if (source.has_pipe()) {
      reading.on_read = [taken = data.pipes.at(node)](const ReadSoFar& so_far) { taken->note(so_far); };
    }
    if (shared && source.has_pipe()) return deal_stream(open_stream(source.data, reading), data.nodes);
    if (shared) {
      reading.stride = data.nodes;
      reading.offset = node;
    }
    streams.push_back(open_stream(source.data, reading));
  }
  return streams;
}

// Those of the job: it has one for each node of the run.
Streams given_streams(JobData& given, const NodeRange& own) {
  const auto first = given.streams.begin();
  return {std::make_move_iterator(first + own.first), std::make_move_iterator(first + own.last)};
}

// The labels of a process, which words are or are not.
struct FoundLabels {
  bool are_words = false;
  std::vector<std::string> labels = {};

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(are_words, labels);
  }
};

// Reads every label once. Those of texts are counted when they are parsed, others here.
FoundLabels labels_in(const OnlineSettings& settings, const OnlineData& data, StreamOptions reading) {
  LabelCensus census;
  reading.targets = census.rule();
  reading.passes = 1;
  for (const auto& stream : own_streams(settings, data, reading)) {
    while (const auto batch = stream->next(chunk)) {
      for (const double target : batch->targets) {
        if (!reading.targets.allows(target)) to_whole_number(target, [] { return std::string("a label"); });
      }
    }
  }
  return {.are_words = census.has_words(), .labels = census.labels()};
}

// What all processes together have.
ClassNames united(const FoundLabels& own, ProcessGroup& processes) {
  std::vector<std::string> all;
  const std::vector<FoundLabels> found = processes.tell_all(Kind::facts, own);
  return processes.together([&] {
    const auto with_labels =
        std::ranges::find_if(found, [](const auto& some) { return !some.labels.empty(); });
    for (const FoundLabels& some : found) {
      all.insert(all.end(), some.labels.begin(), some.labels.end());
      if (some.labels.empty() || some.are_words == with_labels->are_words) continue;
      fail(ErrorCategory::BadData,
           "the labels of some streams are words, such as '{}', and those of others are integers; use one "
           "kind, or name all of them with --classes",
           some.are_words ? some.labels.front() : with_labels->labels.front());
    }
    return class_names(std::move(all));
  });
}

void check_files(const OnlineSettings& settings) {
  const DataSettings& data = settings.data;
  if (settings.on_bad_record == BadRecord::skip && !is_read_as_it_goes(data)) {
    fail(ErrorCategory::InvalidArgument,
         "--by {} reads the file whole, and a bad record of it ends the run; omit --by, or --on-bad-record",
         data.by);
  }
  if (!data.select_labels.empty() && is_read_as_it_goes(data)) {
    throw Error(ErrorCategory::InvalidArgument,
                "--select-labels needs data in memory; use --by iid as well, or select before");
  }
  if (is_shard_pattern(data.data) && data.by != "turn") {
    fail(ErrorCategory::InvalidArgument,
         "--by {} distributes one file, but {} already is one stream per node; omit --by", data.by,
         data.data);
  }
}

// What `source` does not allow: it can be read once only.
void check_read_once(const std::string& source, const OnlineSettings& settings) {
  if (settings.passes > 1) {
    fail(ErrorCategory::InvalidArgument, "{} can be read once; omit --passes", source);
  }
  if (is_classification(settings.method.loss) && settings.classes.empty()) {
    fail(ErrorCategory::InvalidArgument,
         "the labels that {} will bring are not known; name them with --classes 0,1,2 or --classes cat,dog",
         source);
  }
}

void check_pipe(const std::string& pipe, const OnlineSettings& settings) {
  if (pipe.empty()) return;
  if (!is_shard_pattern(settings.data.data) && settings.engine.engine == "mpi") {
    fail(ErrorCategory::InvalidArgument,
         "{} belongs to one process alone; give the ranks streams of their own: --data 'stream-{{rank}}.csv'",
         pipe);
  }
  if (!is_read_as_it_goes(settings.data)) {
    fail(ErrorCategory::InvalidArgument, "--by {} distributes what is in memory, but {} is read as it comes",
         settings.data.by, pipe);
  }
  check_read_once(pipe, settings);
}

void check_job(const OnlineSettings& settings, const JobData& given) {
  if (!given.arrays.empty()) {
    throw Error(
        ErrorCategory::InvalidArgument,
        "online-kernel learns from streams, not from arrays; give the job stream_of(samples) per node");
  }
  if (given.streams.empty()) return;
  if (settings.was_given("by") || settings.was_given("select-labels")) {
    throw Error(ErrorCategory::InvalidArgument,
                "the job's streams belong to their nodes already; omit --by and --select-labels");
  }
  check_read_once("a stream of the job", settings);
}

// Whether some process has one.
bool is_anywhere(bool here, ProcessGroup& processes) {
  const auto all = processes.tell_all(Kind::facts, here);
  return std::find(all.begin(), all.end(), true) != all.end();
}

Index common_features(const Streams& streams, ProcessGroup& processes) {
  const Index own = streams.empty() ? 0 : streams.front()->features();
  const std::vector<Index> all = processes.tell_all(Kind::facts, own);
  return processes.together([&] {
    const Index features = *std::max_element(all.begin(), all.end());
    for (const auto& stream : streams) {
      if (stream->features() == features) continue;
      fail(ErrorCategory::BadData, "one node's stream has {} features but another's has {}",
           stream->features(), features);
    }
    return features;
  });
}

void open_given(const OnlineSettings& settings, MethodContext& context, OnlineData& data) {
  context.processes.together([&] { check_job(settings, context.data); });
  data.can_be_opened_again = false;
  data.streams = given_streams(context.data, data.own);
  data.features = common_features(data.streams, context.processes);
}

// An earlier process may have left the pipe within a line.
bool takes_over(const OnlineSettings& settings) {
  std::error_code none;
  return settings.resume && std::filesystem::exists(settings.checkpoint, none) &&
         !std::filesystem::is_empty(settings.checkpoint, none);
}

void open_files(const OnlineSettings& settings, MethodContext& context, OnlineData& data) {
  ProcessGroup& processes = context.processes;
  const std::string pipe = find_pipe(settings.data, data.own);
  processes.together([&] {
    check_files(settings);
    check_pipe(pipe, settings);
  });
  find_pipes(settings, data);
  data.ends_on_interrupt = is_anywhere(!pipe.empty(), processes);
  data.can_be_opened_again = !data.ends_on_interrupt;
  StreamOptions reading{.passes = settings.passes, .on_bad_record = settings.on_bad_record};
  if (data.ends_on_interrupt) reading.stop = context.options.watch.stop;
  if (is_classification(settings.method.loss) && data.classes.empty()) {
    const FoundLabels labels = processes.together([&] { return labels_in(settings, data, reading); });
    data.classes = united(labels, processes);
  }
  reading.targets = data.classes.rule();
  reading.may_begin_within_a_line = takes_over(settings);
  reading.warn = [warnings = data.warnings](const std::string& sentence) { warnings->add(sentence); };
  data.streams = processes.together([&] { return own_streams(settings, data, reading); });
  data.features = common_features(data.streams, processes);
}

// Integers that were found in all streams.
ClassNames integer_classes(const std::vector<Dataset>& shards, ProcessGroup& processes) {
  FoundLabels own;
  std::set<std::int64_t> labels;
  for (const Dataset& shard : shards) labels.insert(shard.labels.begin(), shard.labels.end());
  for (const std::int64_t label : labels) own.labels.push_back(std::to_string(label));
  return united(own, processes);
}

void check_tables(const OnlineSettings& settings) {
  if (is_pipe(settings.data.data))
    throw Error(
        ErrorCategory::InvalidArgument,
        "--id, --columns, --drop, --categorical, --missing, --na and --decimal are for files, which are read "
        "whole; a stream that comes over a pipe must bring numbers");
  if (settings.data.labels.empty())
    throw Error(ErrorCategory::InvalidArgument,
                "--labels is missing: name the column of labels, or values, to learn");
  if (settings.on_bad_record == BadRecord::skip)
    throw Error(
        ErrorCategory::InvalidArgument,
        "tables are read whole, and a bad row ends the run; omit --on-bad-record, or use --missing drop");
}

// Tables are read whole, as what becomes of their cells depends on all of them.
void open_tables(const OnlineSettings& settings, MethodContext& context, OnlineData& data) {
  context.processes.together([&] { check_tables(settings); });
  const bool are_values = !is_classification(settings.method.loss);
  TableShards tables = read_tables(settings, context,
                                   {.nodes = data.nodes,
                                    .own = data.own,
                                    .min_count = settings.method.min_count,
                                    .real_labels = are_values,
                                    .classes = data.classes.words});
  if (!are_values && data.classes.empty()) {
    data.classes = context.recipe->classes.empty() ? integer_classes(tables.shards, context.processes)
                                                   : class_names(context.recipe->classes);
  }
  note_columns(tables.shards, settings, context);
  for (Dataset& shard : tables.shards)
    data.streams.push_back(stream_of(targeted(std::move(shard)), settings.passes));
  data.features = context.recipe->features();
}

class LentStream : public SampleStream {
 public:
  explicit LentStream(SampleStream& lender) : lender_(lender) {}

  std::optional<TargetedSamples> next(Index count) override { return lender_.next(count); }
  std::uint64_t skip(std::uint64_t count) override { return lender_.skip(count); }
  Index features() const override { return lender_.features(); }
  std::uint64_t bad_before(std::uint64_t samples) const override { return lender_.bad_before(samples); }
  std::vector<std::string> first_bad() const override { return lender_.first_bad(); }

 private:
  SampleStream& lender_;
};

}  // namespace

std::vector<std::unique_ptr<SampleStream>> lent_streams(const OnlineData& data) {
  Streams lent;
  for (const auto& stream : data.streams) lent.push_back(std::make_unique<LentStream>(*stream));
  return lent;
}

std::vector<std::string> StreamWarnings::of_all(ProcessGroup& processes) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> all;
  for (const auto& sentences : processes.tell_all(Kind::summaries, sentences_))
    all.insert(all.end(), sentences.begin(), sentences.end());
  return all;
}

OnlineData open_streams(const OnlineSettings& settings, MethodContext& context) {
  OnlineData data;
  data.nodes = count_nodes(settings, context);
  data.own = context.engine().own_nodes(data.nodes);
  data.classes = class_names(settings.classes);
  if (context.data.is_in_memory()) {
    open_given(settings, context, data);
  } else if (asks_for_tables(settings.data)) {
    open_tables(settings, context, data);
  } else {
    open_files(settings, context, data);
  }
  return data;
}

std::optional<TargetedSamples> read_test(const OnlineSettings& settings, const OnlineData& data,
                                         const std::optional<Recipe>& recipe) {
  if (settings.test.empty()) return std::nullopt;
  const std::string& labels = settings.test_labels.empty() ? settings.data.labels : settings.test_labels;
  TargetedSamples test =
      recipe ? targeted(read_by_recipe(*recipe, data.classes.words,
                                       {.data = settings.test,
                                        .labels = labels,
                                        .real_labels = !is_classification(settings.method.loss)}))
      : data.classes.words.empty()
          ? targeted(read_whole(settings.test, labels, settings))
          : rest_of(*open_stream(settings.test, {.target = labels, .targets = data.classes.rule()}));
  if (test.samples.rows() != data.features) {
    fail(ErrorCategory::BadData, "{} has {} features but the streams have {}; test with the same columns",
         settings.test, test.samples.rows(), data.features);
  }
  if (test.targets.size() != test.samples.cols()) {
    fail(ErrorCategory::BadData, "{} has no labels or values to test with; use --test-labels to name them",
         settings.test);
  }
  return test;
}

}  // namespace choir
