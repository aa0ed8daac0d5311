// The streams of a run's nodes, and what must be known of them before it starts.
//
//   OnlineData data = open_streams(arguments, method, processes);
//   fit_online_kernel(engine, graph, std::move(data.streams), method);
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "choir/cli/online_arguments.h"
#include "choir/cli/process_group.h"
#include "choir/data/stream.h"

namespace choir::cli {

struct OnlineData {
  NodeRange own;                                       // the nodes of this process
  std::vector<std::unique_ptr<SampleStream>> streams;  // of these nodes
  Index nodes = 0;                                     // J, in all processes
  Index features = 0;
  std::vector<std::int64_t> classes;  // of all streams, ascending; empty for values
};

// A pattern: every node has a file. One file: dealt out in turn and read as it goes, or, with another --by,
// from memory. "-": standard input, dealt out in turn. Classes that were not said are found by reading all
// labels once, which standard input does not allow.
OnlineData open_streams(const OnlineArguments& arguments, const OnlineKernelOptions& method,
                        ProcessGroup& processes);

// A file of samples with their labels or values, whole.
TargetedSamples read_targeted(const std::string& source, const std::string& labels, Loss loss);

}  // namespace choir::cli
