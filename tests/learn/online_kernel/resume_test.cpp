// Runs that go on from the states of an earlier one.
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "graph/expect_error.h"
#include "learn/online_kernel/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/runtime/engines.h"

namespace choir::online_kernel {
namespace {

std::vector<TargetedSamples> resumed_mixtures(Index nodes, Index count) {
  return testing::permuted(testing::Mixtures(3).draw(count, 1), nodes, 2);
}

// All states of all nodes after all rounds.
class Checkpoints {
 public:
  Hooks keeping() {
    return {.after_round = [this](const Round& round, const State& state) { keep(state, round.node); }};
  }
  void keep(const State& state, NodeId node) {
    const std::lock_guard lock(mutex_);
    states_[{node, state.round}] = state;
  }
  const State& at(NodeId node, std::uint64_t round) const { return states_.at({node, round}); }

 private:
  std::mutex mutex_;
  std::map<std::pair<NodeId, std::uint64_t>, State> states_;
};

Streams skipped_to(const std::vector<TargetedSamples>& data, const Checkpoints& checkpoints,
                   std::uint64_t round) {
  Streams streams = streams_of(data);
  for (std::size_t node = 0; node < streams.size(); ++node) {
    const std::uint64_t samples = checkpoints.at(static_cast<NodeId>(node), round).samples;
    EXPECT_EQ(streams[node]->skip(samples), samples);
  }
  return streams;
}

TEST(OnlineKernelResumed, AfterAnyRoundEndsWithTheSameBitsOnEveryEngine) {
  std::vector<TargetedSamples> data = resumed_mixtures(4, 160);
  data[2] = first_of(data[2], 70);
  const Graph graph = make_topology("line", 4, 0);
  for (const Consensus consensus :
       {Consensus::diffusion, Consensus::symmetric, Consensus::penalty, Consensus::none}) {
    Options options = mixture_options(consensus);
    options.gamma = parse_gamma("scale");
    options.preprocessing.standardize = Standardize::zscore;
    options.max_atoms = 25;
    Checkpoints checkpoints;
    const Fit whole = simulate(data, options, "line", checkpoints.keeping());
    const bool alone = consensus == Consensus::none;
    for (std::uint64_t round = 1; round < (alone ? 3 : whole.at(0).state.round); ++round) {
      Hooks resume;
      resume.resume = [&](NodeId node) { return checkpoints.at(node, round); };
      const auto engine = make_engine(round % 2 == 0 ? "local" : "sim", {.threads = 2});
      const Fit rest = fit_online_kernel(*engine, graph, skipped_to(data, checkpoints, round), options,
                                         {.seed = 1}, resume);
      for (NodeId node = 0; node < 4; ++node) expect_same(rest.at(node).state, whole.at(node).state);
    }
  }
}

// Node 2's stream ends in the third round, node 0's in the fourth, which finds it empty, node 1's not at all.
TEST(OnlineKernelResumed, WithMoreSamplesGoesOnFromBeforeTheEndsOfTheStreams) {
  const std::vector<TargetedSamples> longer = resumed_mixtures(3, 200);
  const std::vector<TargetedSamples> shorter = {first_of(longer[0], 96), longer[1], first_of(longer[2], 70)};
  const Graph graph = make_topology("line", 3, 0);
  for (const Consensus consensus : {Consensus::diffusion, Consensus::symmetric}) {
    const Options options = mixture_options(consensus);
    Checkpoints checkpoints;
    simulate(shorter, options, "line", checkpoints.keeping());
    const Fit whole = simulate(longer, options, "line");
    const auto resumed = [&](std::uint64_t round) {
      const Hooks hooks{.resume = [&](NodeId node) { return checkpoints.at(node, round); }};
      return fit_online_kernel(*make_engine("sim", {}), graph, skipped_to(longer, checkpoints, round),
                               options, {.seed = 1}, hooks);
    };
    const Fit rest = resumed(2);
    for (NodeId node = 0; node < 3; ++node) expect_same(rest.at(node).state, whole.at(node).state);
    expect_error(ErrorCategory::InvalidArgument, {"node 2", "ended after 70 samples", "before its end"},
                 [&] { resumed(3); });
  }
}

TEST(OnlineKernelResumed, SaysTheSameAtTheEnd) {
  const std::vector<TargetedSamples> data = resumed_mixtures(3, 1500);
  const Options options = mixture_options(Consensus::penalty);
  Checkpoints checkpoints;
  const Fit whole = simulate(data, options, "line", checkpoints.keeping());
  const std::uint64_t rounds = whole.at(0).state.round;
  EXPECT_GT(whole.at(0).state.disagreement, 0);
  for (const std::uint64_t round : {rounds - 8, rounds}) {
    const Hooks hooks{.resume = [&](NodeId node) { return checkpoints.at(node, round); }};
    const Fit rest = fit_online_kernel(*make_engine("sim", {}), make_topology("line", 3, 0),
                                       skipped_to(data, checkpoints, round), options, {.seed = 1}, hooks);
    EXPECT_EQ(rest.at(0).notes, whole.at(0).notes) << "c reached its cap before";
    expect_same(rest.at(0).state, whole.at(0).state);
  }
}

TEST(OnlineKernelResumed, RefusesToGoOnFromDifferentRounds) {
  const std::vector<TargetedSamples> data = resumed_mixtures(3, 100);
  const Options options = mixture_options(Consensus::diffusion);
  Checkpoints checkpoints;
  simulate(data, options, "line", checkpoints.keeping());
  Hooks resume;
  resume.resume = [&](NodeId node) { return checkpoints.at(node, node == 1 ? 3 : 2); };
  expect_error(ErrorCategory::InvalidArgument, {"after round 2", "after round 3", "same round"},
               [&] { simulate(data, options, "line", resume); });
  resume.resume = [&](NodeId node) {
    return node == 1 ? std::nullopt : std::optional(checkpoints.at(node, 2));
  };
  expect_error(ErrorCategory::InvalidArgument, {"after round 0", "after round 2"},
               [&] { simulate(data, options, "line", resume); });
  resume.resume = [&](NodeId node) {
    State state = checkpoints.at(node, 2);
    state.f = empty_expansion(2, 7);
    return state;
  };
  expect_error(ErrorCategory::InvalidArgument, {"7 outputs", "5 outputs"},
               [&] { simulate(data, options, "line", resume); });
}

}  // namespace
}  // namespace choir::online_kernel
