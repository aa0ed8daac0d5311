// A federation whose devices answer with random matrices that the test can compute, too.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "graph/expect_error.h"

#include "choir/learn/federation/federation.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_options.h"

namespace choir::testing {

using Nodes = std::vector<NodeId>;

enum class Act { answer, keep_silent, refuse, answer_late, end };

struct Play {
  Index devices = 8;
  int questions = 2;
  FederationOptions options = {};
  AnswerShape shape = {.rows = 3, .cols = 4, .bound = 2.0};
  std::function<Act(NodeId device, int question)> act = [](NodeId, int) { return Act::answer; };
  Duration lateness = {};  // of late answers
  // Empty: answer_of.
  std::function<Matrix(NodeId device, int question)> value = {};
};

inline const Contract federation_contract{
    .method = "federation",
    .kinds = {Kind::coefficients, Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};

Index samples_of(NodeId device);
// Entries up to 2 for each sample.
Matrix answer_of(NodeId device, int question, const AnswerShape& shape);
// What a total must be: the answers of those who answered, added one by one.
Matrix sum_of(const std::vector<NodeId>& devices, int question, const AnswerShape& shape);
double samples_of(const std::vector<NodeId>& devices);

struct Played {
  std::vector<Total> totals;  // by question
  double samples = 0;         // as the server knows it after open()
  RunReport report;
};

Task<std::vector<Total>> play_node(Node& node, Play play, double* samples);
// Node 0 is the server. In several processes there are totals in that of node 0 alone.
Played play(Engine& engine, const Play& play, const RunOptions& run = {});

// Each total is that of the devices that it names.
void expect_true_totals(const Played& played, const Play& play);

// Threads, and a simulated network that delays and loses.
std::vector<std::unique_ptr<Engine>> engines();

}  // namespace choir::testing

// The names that nearly every test here uses.
namespace choir {

using testing::Act;
using testing::expect_error;
using testing::expect_true_totals;
using testing::Nodes;
using testing::Play;
using testing::Played;

}  // namespace choir
