// Decentralised learning from streams with bounded memory: every node sees its own stream once, keeps a small
// dictionary of samples or moments of features, talks to the others now and then, and ends with a function
// that has learned from all streams. README.md has the equations.
//
//   const auto fit = fit_online_kernel(*engine, graph, std::move(streams), options);
//   const KernelMachine machine = machine_of(fit.at(0));
//
// Synchronous rounds, one per batch: the same bits on every engine. Streams may end at different times; a
// node whose stream has ended continues to mix until all streams have ended. A node that misses its deadline
// is dropped by the others if the run continues without lost peers.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "choir/data/stream.h"
#include "choir/graph/graph.h"
#include "choir/learn/fit.h"
#include "choir/learn/online_kernel/expansion.h"
#include "choir/learn/online_kernel/feature_state.h"
#include "choir/learn/online_kernel/options.h"
#include "choir/learn/online_kernel/progressive.h"
#include "choir/learn/privacy/privacy_report.h"
#include "choir/model/kernel_machine.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::online_kernel {

// What targets are learned as: (y - centre) / scale. 0 and 1 for classes.
struct TargetScale {
  double centre = 0;
  double scale = 1;
};

// What a node is after a round: all that the next round depends on, and what it says at the end.
struct State {
  std::uint64_t round = 0;    // rounds done
  std::uint64_t samples = 0;  // taken from its stream
  Kernel kernel = {};         // with the agreed gamma
  Preprocessing preprocessing = {};
  TargetScale target = {};
  double largest_diagonal = 1;  // of the first batches: kappa
  Expansion f = {};
  Vector class_counts = {};       // K, as far as the node has heard, up to a factor; empty for values
  double eta = 0;                 // in the first round
  double epsilon = 0;             // the same
  double penalty = 0;             // c in the last round
  double penalty_cap = 0;         // what c stays below; the first batches decide
  bool ended = false;             // its stream
  std::int64_t stop_counter = 0;  // of StopAgreement
  std::int64_t stop_at = std::numeric_limits<std::int64_t>::max();
  double loss = 0;          // of its last batch, as in Round
  double disagreement = 0;  // the same
  Progressive progressive = {};
  Index largest_order = 0;                    // atoms after any round
  std::uint64_t capped_at = 0;                // the first round whose c was at its cap; 0: none yet
  std::optional<FeatureState> features = {};  // nothing: it is a dictionary, and f has what it learned

  Index order() const { return features ? features->size() : f.size(); }  // atoms, or features
};

// What a node reports of a round. Once its stream has ended there is no batch, and nothing to say of one.
struct Round {
  NodeId node = 0;
  std::uint64_t round = 0;
  std::uint64_t samples = 0;
  Index model_order = 0;
  Index batch = 0;      // samples in it; without any the next three are 0
  double loss = 0;      // mean over the batch, before the step
  double mistakes = 0;  // share of the batch, before the step (classification)
  // Over all of the node's samples so far that were predicted by a function that had learned something, and
  // over about the last 20 batches. `judged`: how many samples that were; without any the next three are 0.
  double judged = 0;
  double progressive_loss = 0;
  double recent_loss = 0;
  double progressive_quality = 0;  // accuracy (classes) or root mean squared error (values)
  // Mean over the batch and the neighbours of |f_i(x) - f_j(x)|^2, before the step; 0 where nothing was
  // compared.
  double disagreement = 0;
  double compression = 0;  // KOMP's error

  // For those who tell it to other processes.
  template <class Visitor>
  void fields(Visitor& visit) {
    visit(node, round, samples, model_order, batch, loss, mistakes, judged, progressive_loss, recent_loss,
          progressive_quality, disagreement, compression);
  }
};

struct Hooks {
  // What a node makes of a batch before it learns from it, `before`: samples that it took earlier. `targets`
  // as in StreamBatch, in their own units, and so are scores of values. By the node's own thread, as below.
  std::function<void(NodeId node, std::uint64_t before, const Matrix& scores, const Vector& targets)>
      predicted = {};
  // After every round, by the node's own thread; the state may be copied. Nodes of one process call it
  // concurrently.
  std::function<void(const Round& round, const State& state)> after_round = {};
  // A state to go on from (the stream then is where it was, and at its end if it had ended); nothing: from
  // the beginning.
  std::function<std::optional<State>(NodeId node)> resume = {};
};

struct NodeResult {
  NodeId node = 0;
  State state = {};
  Loss loss = Loss::logistic;
  std::vector<std::int64_t> classes = {};
  // Sentences the user should read: the step size violates the stability bound, c was capped.
  std::vector<std::string> notes = {};
  double seconds = 0;
  std::optional<PrivacyReport> privacy = {};  // under differential privacy: what it promises and cost
};

// The node program. Stream and hooks must outlive it. Throws Error(BadData) naming the node for samples it
// cannot use, Error(Numerical) if its weights stop being finite, Error(InvalidArgument) if nodes resume from
// different rounds, or from a state of after the end of a stream that has more samples now.
Task<NodeResult> node_program(Node& node, SampleStream& stream, Options options, const Hooks& hooks);

struct Shape {
  const Graph& graph;
  Index features = 0;
};
Contract contract(const Shape& shape, const Options& options);

using Fit = FitOf<NodeResult>;

KernelMachine machine_of(const NodeResult& fit);

}  // namespace choir::online_kernel

namespace choir {

// `streams`: of the nodes that this process runs, in their order. A run that is resumed needs them where
// the states left them (SampleStream::skip(state.samples)). Throws what the node programs throw.
online_kernel::Fit fit_online_kernel(Engine& engine, const Graph& graph,
                                     std::vector<std::unique_ptr<SampleStream>> streams,
                                     const online_kernel::Options& options, const RunOptions& run = {},
                                     const online_kernel::Hooks& hooks = {});

}  // namespace choir
