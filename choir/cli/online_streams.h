// The streams of a run's nodes, and what must be known of them before it starts.
//
//   OnlineData data = open_streams(arguments, method, processes);
//   fit_online_kernel(engine, graph, std::move(data.streams), method);
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "choir/cli/online_arguments.h"
#include "choir/cli/process_group.h"
#include "choir/data/stream.h"

namespace choir::cli {

// Sentences of streams, which the threads that read them say.
class StreamWarnings {
 public:
  void add(const std::string& sentence) {
    const std::lock_guard lock(mutex_);
    sentences_.push_back(sentence);
  }
  // Those of all processes.
  std::vector<std::string> gathered(ProcessGroup& processes) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> sentences_;
};

struct OnlineData {
  NodeRange own;                                       // the nodes of this process
  std::vector<std::unique_ptr<SampleStream>> streams;  // of these nodes
  Index nodes = 0;                                     // J, in all processes
  Index features = 0;
  std::vector<std::int64_t> classes;  // of all streams, ascending; empty for values
  // Some stream of the run is a pipe, which may never end by itself: an interrupt is the end of all streams.
  bool ends_on_interrupt = false;
  std::shared_ptr<StreamWarnings> warnings = std::make_shared<StreamWarnings>();
};

// A pattern: every node has a file. One file: dealt out in turn and read as it goes, or, with another --by,
// from memory. "-", or a pipe by its name: read by one reader and dealt out in turn. Classes that were not
// said are found by reading all labels once, which pipes do not allow.
OnlineData open_streams(const OnlineArguments& arguments, const OnlineKernelOptions& method,
                        ProcessGroup& processes);

// A file of samples with their labels or values, whole.
TargetedSamples read_targeted(const std::string& source, const std::string& labels, Loss loss);

}  // namespace choir::cli
