// What a run of online-kernel found, in numbers: what each node has to say about itself, and what that makes
// for the network.
//
//   History history;
//   hooks.after_round = [&](const Round& round, const State&) { history.add(round); };
//   ...
//   NodeFindings node = findings_of(fit.at(0), history);
//   node.test = test_machine(machine_of(fit.at(0)), samples, targets, threads);
//   const Findings all = summarise(findings_of_all_nodes);
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "choir/learn/online_kernel/online_kernel.h"

namespace choir::online_kernel {

// Some rounds of every node of this process, ever fewer of them: a stream may be long.
class History {
 public:
  void add(const Round& round);  // from any thread
  std::vector<Round> of(NodeId node) const;

 private:
  struct Track {
    std::uint64_t next = 1;  // round that is kept next
    std::vector<Round> rounds = {};
  };
  mutable std::mutex mutex_;
  std::map<NodeId, Track> tracks_;
};

// On samples that nobody has learned from.
struct TestFindings {
  double quality = 0;    // accuracy (classes) or root mean squared error (values)
  double deviation = 0;  // values: the error of the best constant answer
  // By label of the test samples: how many of them were taken for each of the machine's classes. Empty for
  // values.
  std::map<std::int64_t, std::vector<std::int64_t>> confusion = {};

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(quality, deviation, confusion);
  }
};
TestFindings test_machine(const KernelMachine& machine, const Samples& samples, const Vector& targets,
                          int threads);

// Where a node went on from, in a run that was resumed.
struct Origin {
  std::uint64_t round = 0;
  std::uint64_t samples = 0;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(round, samples);
  }
};

// Of moments of features, the same at all nodes.
struct FeatureFindings {
  Index used = 0;    // features in the last total
  Index totals = 0;  // opened
  double ridge = 0;
  double half_life = 0;  // of the moments behind the answer; 0: nothing is forgotten
  Index renewals = 0;    // times that new features took over
  // Of the latest samples of all nodes, each predicted as if the answer had not learned from it.
  double loss_ratio = 0;  // of the answer to the best constant
  Matrix classes = {};    // K x 2: how many came, and were taken for the class; empty for values

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(used, totals, ridge, half_life, renewals, loss_ratio, classes);
  }
};

// Of one node; it may be told to others. No sample is in it.
struct NodeFindings {
  NodeId node = 0;
  std::uint64_t samples = 0;
  std::uint64_t rounds = 0;
  Index model_order = 0;
  Index largest_order = 0;
  double disagreement = 0;
  Progressive progressive = {};
  double gamma = 0;
  double eta = 0;
  double epsilon = 0;
  double seconds = 0;
  std::vector<std::string> notes = {};
  std::optional<FeatureFindings> features = {};  // nothing: a dictionary
  std::vector<Round> history = {};
  std::optional<TestFindings> test = {};  // nothing: there was no test
  std::optional<Origin> resumed = {};     // nothing: it began

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(node, samples, rounds, model_order, largest_order, disagreement, progressive, gamma, eta, epsilon,
          seconds, notes, features, history, test, resumed);
  }
};

NodeFindings findings_of(const NodeResult& result, const History& history);

// Of all nodes. What the nodes agreed on is the same in each.
struct Findings {
  std::uint64_t samples = 0;  // of all nodes together, those of an earlier run that this one resumed as well
  std::uint64_t rounds = 0;   // of the node with the most
  Index largest_order = 0;
  double model_order = 0;        // mean over nodes
  double disagreement = 0;       // mean over nodes
  Progressive progressive = {};  // of all samples
  double eta = 0;
  double epsilon = 0;
  double gamma = 0;
  double seconds = 0;             // of the slowest node
  double samples_per_second = 0;  // of those that this run learned from
  // Summed over nodes, as in TestFindings.
  std::map<std::int64_t, std::vector<std::int64_t>> confusion = {};
};

Findings summarise(const std::vector<NodeFindings>& nodes);

// Why not to rely on the models, and what helps, a sentence each: empty ones, a class that is never
// predicted, answers that are no better than always the same one. Judged by the test if there was one, else
// by what the last total says of the latest samples (features), or by the streams' progressive figures.
// `names`: of the classes; empty: they are their own names.
std::vector<std::string> weaknesses(const std::vector<NodeFindings>& nodes, const Options& options,
                                    const std::vector<std::string>& names = {});

// That nodes went on from a checkpoint: an entry for each round that they did so after. Usually there is one,
// and they did so together.
struct Resumption {
  std::uint64_t round = 0;
  std::optional<NodeId> node = {};  // if it was one alone
  std::string words = {};
};
std::vector<Resumption> resumptions(const std::vector<NodeFindings>& nodes);

// A sentence about streams that ended clearly before others', which have learned on without them; empty if
// there are none, or if nodes learn alone.
std::string early_ends(const std::vector<NodeFindings>& nodes, const Options& options);

}  // namespace choir::online_kernel
