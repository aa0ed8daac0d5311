// The streams of a run's nodes, and what must be known of them before it starts.
//
//   OnlineData data = open_streams(settings, context);
//   fit_online_kernel(engine, graph, std::move(data.streams), options);
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "choir/data/stream.h"
#include "choir/run/context.h"
#include "choir/run/online/class_names.h"
#include "choir/run/online/settings.h"
#include "choir/run/online/taken_samples.h"

namespace choir {

// Sentences of streams, which the threads that read them say.
class StreamWarnings {
 public:
  void add(const std::string& sentence) {
    const std::lock_guard lock(mutex_);
    sentences_.push_back(sentence);
  }
  // Those of all processes.
  std::vector<std::string> of_all(ProcessGroup& processes) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> sentences_;
};

struct OnlineData {
  NodeRange own;                                       // the nodes of this process
  std::vector<std::unique_ptr<SampleStream>> streams;  // of these nodes
  Index nodes = 0;                                     // J, in all processes
  Index features = 0;
  ClassNames classes;  // of all streams; empty for values
  // What was taken from pipes, by nodes of this process that read one; those that share it have the same.
  std::map<NodeId, std::shared_ptr<TakenSamples>> pipes;
  // Some stream of the run is a pipe, which may never end by itself: an interrupt is the end of all streams.
  bool ends_on_interrupt = false;
  bool can_be_opened_again = true;  // neither pipes nor streams of the caller
  std::shared_ptr<StreamWarnings> warnings = std::make_shared<StreamWarnings>();
};

// A pattern: every node has a file. One file: dealt out in turn and read as it goes, or, with another --by,
// from memory. "-", or a pipe by its name: read by one reader and dealt out in turn. Streams of the job, one
// for each node, in place of all these. Classes that were not given are found by reading all labels once,
// which neither pipes nor streams of the job allow; the first label says whether they are integers or words.
// All processes call it. Throws Error(InvalidArgument), and what opening throws, in all of them.
OnlineData open_streams(const OnlineSettings& settings, MethodContext& context);

// The streams for a fit, which gives up what it gets: they stay with `data`, which must outlive the fit.
std::vector<std::unique_ptr<SampleStream>> lent_streams(const OnlineData& data);

// Samples with labels or values to test with; nothing if the settings name none. Throws Error(BadData) if
// they do not fit the streams.
// By the recipe, where the streams were made of tables.
std::optional<TargetedSamples> read_test(const OnlineSettings& settings, const OnlineData& data,
                                         const std::optional<Recipe>& recipe = {});

}  // namespace choir
