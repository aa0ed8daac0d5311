// A job being done: checked before anything else, planned, executed, with its result at the end.
//
//   Run run(std::move(job));
//   run.plan().words();
//   const Result result = run.execute();
//   result.save("runs/a");
//
// With the engine mpi every process makes the same Run and calls the same functions. Before anything else
// they compare their options; those that all must share and do not end the run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "choir/base/progress.h"
#include "choir/run/job.h"
#include "choir/run/method.h"
#include "choir/run/result.h"
#include "choir/runtime/engine.h"

namespace choir {

struct RunHooks {
  std::function<void(const std::string& sentence)> note = {};  // said while the run goes on
  // Sees every message that leaves a node of this process.
  std::function<void(NodeId from, NodeId to, const Message& message)> audit = {};
  // How often the caller has asked so far that a run that learns from streams save what it has learned: a
  // checkpoint and models, in the folder of its checkpoints. Called after every round, by the nodes' threads.
  std::function<std::uint64_t()> save_requests = {};
  // Called before the whole job is ended while this process still computes; may come from another thread.
  std::function<void(const std::string& sentence)> last_words = {};
};

// What a run will do, before it does it.
struct Plan {
  std::string method;
  std::string engine;
  Index nodes = 0;
  Index samples = 0;
  Index features = 0;
  std::string topology;
  Index links = 0;
  Index smallest_degree = 0;
  Index largest_degree = 0;
  std::vector<std::string> leaves_a_node = {};  // kinds of messages between nodes
  std::vector<std::string> tells = {};          // for each of these, what a receiver can learn
  std::vector<std::string> exposes = {};        // sentences: whose samples neighbours see more of than that
  std::vector<std::string> privacy = {};  // the promise of --privacy, its cost, what its budget has left
  std::vector<std::string> leaves_a_process =
      {};                          // kinds of messages between processes; empty: there is one process
  std::uint64_t memory_bytes = 0;  // of the process that needs the most
  bool fits = true;

  std::string words() const;  // a table for people
};

class Run {
 public:
  // Checks everything that can be checked before any work; what several processes must agree on is checked by
  // plan() and execute(). Throws Error(InvalidArgument) for options that cannot be, Error(Unavailable) for an
  // engine that is not built in.
  explicit Run(Job job, const Watch& watch = {}, RunHooks hooks = {});
  ~Run();

  const Settings& settings() const;
  ProcessGroup& processes();

  // Reads the data and says what will happen.
  const Plan& plan();
  // Throws what the method throws. A run that does not converge ends all the same, and its result says so.
  Result execute();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The options of a job as its method reads them, without a run: for programs that want to know before they
// start.
std::unique_ptr<Method> configured_method(const Job& job);

}  // namespace choir
