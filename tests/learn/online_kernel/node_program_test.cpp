#include <algorithm>
#include <cmath>
#include <map>

#include "graph/expect_error.h"
#include "learn/online_kernel/toy.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/runtime/engines.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::online_kernel {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Consensus all_forms[] = {Consensus::diffusion, Consensus::symmetric, Consensus::penalty,
                                   Consensus::none};

std::vector<TargetedSamples> mixtures(Index nodes, Index count) {
  return permuted(Mixtures(3).draw(count, 1), nodes, 2);
}

TEST(OnlineKernel, StreamsOfDifferentLengthsEndInTheSameRound) {
  std::vector<TargetedSamples> data = mixtures(4, 400);
  data[1] = first_of(data[1], 70);
  data[2] = first_of(data[2], 0);
  data[3] = first_of(data[3], 320);
  for (const Consensus consensus : {Consensus::diffusion, Consensus::symmetric, Consensus::penalty}) {
    const Fit fit = simulate(data, mixture_options(consensus), "line");
    const std::vector<std::uint64_t> lengths = {400, 70, 0, 320};
    for (NodeId node = 0; node < 4; ++node) {
      EXPECT_EQ(fit.at(node).state.samples, lengths[static_cast<std::size_t>(node)]);
      EXPECT_EQ(fit.at(node).state.round, fit.at(0).state.round);
      EXPECT_TRUE(fit.at(node).state.ended);
    }
    EXPECT_GE(fit.at(0).state.round, 13u) << "400 samples are 13 batches";
    EXPECT_LE(fit.at(0).state.round, 13u + 4 * 4);
  }
}

TEST(OnlineKernel, ANodeWithoutSamplesOfItsOwnLearnsFromItsNeighboursByDiffusion) {
  const Mixtures mixture(3);
  std::vector<TargetedSamples> data = mixtures(3, 1500);
  data[2] = first_of(data[2], 0);
  const Fit fit = simulate(data, mixture_options(Consensus::diffusion), "line");
  const TargetedSamples test = mixture.draw(1000, 7);
  EXPECT_GT(testing::accuracy_of(fit.at(2), test), 0.95 * mixture.bayes_accuracy(test));
}

// By round, summed over the nodes: of the first batches before the first round, then of what was read.
TEST(OnlineKernel, CountsTheClassesOfTheFirstBatchesBeforeTheFirstRoundAndNoSampleTwice) {
  std::vector<TargetedSamples> data = skewed(Mixtures(3).draw(900, 1), 3, 640, 2);
  data[1] = first_of(data[1], 40);
  Options options = mixture_options(Consensus::diffusion);
  options.preprocessing.standardize = Standardize::zscore;
  options.class_weights = ClassWeights::balanced;
  const auto count = [&](Index most) {
    Vector counts = Vector::Zero(Mixtures::classes);
    for (const TargetedSamples& own : data)
      for (const double place : first_of(own, std::min(most, own.targets.size())).targets)
        counts(static_cast<Index>(place)) += 1;
    return counts;
  };
  std::map<std::uint64_t, Vector> found;
  Hooks hooks;
  hooks.after_round = [&](const Round& round, const State& state) {
    Vector& sum = found.try_emplace(round.round, Vector::Zero(Mixtures::classes)).first->second;
    sum += state.class_counts;
  };
  simulate(data, options, "line", hooks);
  constexpr Index batch = 32, ahead = 8;
  for (const auto& [round, sum] : found) {
    const Vector expected = count(batch * std::max(ahead, static_cast<Index>(round)));
    EXPECT_LE((sum - expected).cwiseAbs().maxCoeff(), 1e-6) << "after round " << round;
  }
  EXPECT_GE(found.size(), 20u);
}

// Alone, nobody waits for anybody.
TEST(OnlineKernel, WithoutConsensusANodeEndsWithItsStreamAndSendsNothingOfIt) {
  std::vector<TargetedSamples> data = mixtures(3, 320);
  data[1] = first_of(data[1], 33);
  const Fit fit = simulate(data, mixture_options(Consensus::none), "line");
  EXPECT_EQ(fit.at(0).state.round, 11u) << "10 batches, and then it sees the end";
  EXPECT_EQ(fit.at(1).state.round, 2u);
  EXPECT_EQ(fit.report.ledger.total(Kind::raw_samples).messages, 0u);
  EXPECT_EQ(fit.report.ledger.total(Kind::coefficients).messages, 0u);
}

TEST(OnlineKernel, SendsTheKindsItSays) {
  const std::vector<TargetedSamples> data = mixtures(3, 64);
  for (const Consensus consensus : {Consensus::symmetric, Consensus::penalty}) {
    const Fit fit = simulate(data, mixture_options(consensus), "line");
    EXPECT_EQ(fit.report.ledger.total(Kind::raw_samples).messages, 4 * fit.at(0).state.round);
    EXPECT_EQ(fit.report.ledger.total(Kind::coefficients).messages, 4 * fit.at(0).state.round);
  }
  const Fit fit = simulate(data, mixture_options(Consensus::diffusion), "line");
  EXPECT_EQ(fit.report.ledger.total(Kind::raw_samples).messages, 4 * fit.at(0).state.round);
  EXPECT_EQ(fit.report.ledger.total(Kind::coefficients).messages, 0u);
}

TEST(OnlineKernel, ThreadsHaveTheSimulatorsBits) {
  const std::vector<TargetedSamples> data = mixtures(6, 200);
  const Graph graph = make_topology("ring:2", 6, 0);
  for (const Consensus consensus : all_forms) {
    const Options options = mixture_options(consensus);
    const Fit truth = simulate(data, options, "ring:2");
    for (const int threads : {1, 2, 5}) {
      const auto engine = make_engine("local", {.threads = threads});
      const Fit fit = fit_online_kernel(*engine, graph, streams_of(data), options);
      for (NodeId node = 0; node < 6; ++node) expect_same(fit.at(node).state, truth.at(node).state);
    }
  }
}

TEST(OnlineKernel, NeverKeepsMoreAtomsThanAllowed) {
  for (const Consensus consensus : all_forms) {
    Options options = mixture_options(consensus);
    options.max_atoms = 6;
    options.epsilon = 0;
    const Fit fit = simulate(mixtures(8, 300), options, "complete");
    for (NodeId node = 0; node < 8; ++node) EXPECT_EQ(fit.at(node).state.largest_order, 6);
  }
}

TEST(OnlineKernel, ReportsWhatARoundSaw) {
  std::vector<Round> rounds;
  Hooks hooks;
  hooks.after_round = [&](const Round& round, const State& state) {
    EXPECT_EQ(round.round, state.round);
    EXPECT_EQ(round.samples, state.samples);
    EXPECT_EQ(round.model_order, state.f.size());
    EXPECT_LE(round.compression, state.epsilon);
    if (round.node == 1) rounds.push_back(round);
  };
  for (const Consensus consensus : all_forms) {
    rounds.clear();
    const Fit fit = simulate(mixtures(3, 640), mixture_options(consensus), "line", hooks);
    ASSERT_GE(rounds.size(), 20u);
    EXPECT_NEAR(rounds[0].loss, std::log(5), 1e-12) << "nothing is known yet";
    EXPECT_GT(rounds[0].mistakes, 0.5);
    EXPECT_LT(rounds[19].loss, 0.5 * rounds[0].loss);
    EXPECT_LT(rounds[19].mistakes, 0.5 * rounds[0].mistakes);
    EXPECT_EQ(rounds[0].disagreement, 0) << "all are zero";
    EXPECT_EQ(rounds[1].disagreement > 0, consensus != Consensus::none);
    EXPECT_EQ(rounds[19].batch, 32);
    EXPECT_EQ(rounds.back().batch, 0) << "20 batches, and then it sees the end";
    EXPECT_EQ(rounds.back().loss, 0);
    EXPECT_EQ(rounds.back().disagreement, 0);
    EXPECT_EQ(fit.at(1).state.loss, rounds[19].loss) << "of the last batch, though rounds without one follow";
    EXPECT_EQ(fit.at(1).state.disagreement, rounds[19].disagreement);
  }
}

// Dictionaries settle, and then hardly any sample is new to a neighbour.
TEST(OnlineKernel, SendsAtomsThatANeighbourHasByTheirPlaces) {
  constexpr Index features = 50;
  std::vector<TargetedSamples> data = mixtures(4, 1600);
  for (TargetedSamples& each : data) {
    const Samples plane = each.samples;
    each.samples = Samples::Zero(features, plane.cols());
    each.samples.topRows(2) = plane;
  }
  double dictionaries = 0;
  Hooks hooks;
  hooks.after_round = [&](const Round& round, const State&) {
    dictionaries += static_cast<double>(2 * features * round.model_order) * sizeof(double);
  };
  const Fit fit = simulate(data, mixture_options(Consensus::diffusion), "ring:2", hooks);
  EXPECT_LT(static_cast<double>(fit.report.ledger.total(Kind::raw_samples).bytes), dictionaries / 3);
}

// A step that is too long for the loss's curvature: noted before, and an end that says why.
TEST(OnlineKernel, SaysThatTheStepIsTooLongAndEndsWhenItDiverges) {
  const std::vector<TargetedSamples> data = {waves(6400, -2, 2, 0, 1), waves(6400, -2, 2, 0, 2)};
  Options options = wave_options(Consensus::none);
  options.gamma = parse_gamma("0.1");
  const Fit safe = simulate(data, options, "line");
  EXPECT_THAT(safe.at(0).notes, IsEmpty());
  options.eta = 12;
  const std::vector<TargetedSamples> few = {first_of(data[0], 96), first_of(data[1], 96)};
  const Fit started = simulate(few, options, "line");
  EXPECT_THAT(started.at(0).notes, Contains(HasSubstr("eta 12 is too large")));
  options.eta = 5000;
  options.epsilon = 0.1;
  expect_error(ErrorCategory::Numerical, {"no longer finite", "eta 5000", "smaller"},
               [&] { simulate(data, options, "line"); });
}

TEST(OnlineKernel, SaysThatThePenaltyWasCapped) {
  Options options = mixture_options(Consensus::penalty);
  const Fit early = simulate(mixtures(3, 200), options, "line");
  EXPECT_THAT(early.at(0).notes, IsEmpty());
  EXPECT_EQ(early.at(0).state.penalty, 0.02) << "the round after the 200th sample";
  const Fit late = simulate(mixtures(3, 1500), options, "line");
  EXPECT_THAT(late.at(0).notes, Contains(HasSubstr("from round 26 on"))) << "800 samples, .01 2^4 > 1/12";
  EXPECT_DOUBLE_EQ(late.at(0).state.penalty, 1 / (2 * 3.0 * 2 * 1));
}

TEST(OnlineKernel, TellsItsPaceAndEndsWhenItIsStopped) {
  std::stop_source source;
  std::vector<std::string> stages;
  const Options options = mixture_options(Consensus::diffusion);
  RunOptions run;
  run.watch.progress = [&](const Progress& progress) {
    if (progress.stage == "nodes") return;  // the engine says where it is, too
    stages.emplace_back(progress.stage);
    EXPECT_EQ(progress.done, 32 * std::ssize(stages));
    if (stages.size() == 5) source.request_stop();
  };
  run.watch.stop = source.get_token();
  SimEngine engine;
  expect_error(ErrorCategory::Cancelled, {"stopped"}, [&] {
    fit_online_kernel(engine, make_topology("line", 3, 0), streams_of(mixtures(3, 640)), options, run);
  });
  EXPECT_EQ(stages.size(), 5u);
  EXPECT_THAT(stages, ::testing::Each(HasSubstr("samples a second at node 0")));
}

TEST(OnlineKernel, NamesWhatItCannotLearnFrom) {
  const Options options = mixture_options(Consensus::diffusion);
  std::vector<TargetedSamples> data = mixtures(2, 100);
  data[1].targets(40) = 9;
  expect_error(ErrorCategory::BadData, {"node 1", "from 33", "label 9"},
               [&] { simulate(data, options, "line"); });
  data = mixtures(2, 100);
  data[1].samples(0, 70) = std::nan("");
  expect_error(ErrorCategory::BadData, {"samples 65 to 96 of node 1", "finite"},
               [&] { simulate(data, options, "line"); });
  data = mixtures(2, 100);
  data[0].targets.resize(0);
  expect_error(ErrorCategory::BadData, {"node 0", "no targets"}, [&] { simulate(data, options, "line"); });
  data = mixtures(2, 100);
  data[1].samples.conservativeResize(3, Eigen::NoChange);
  data[1].samples.row(2).setZero();
  expect_error(ErrorCategory::BadData, {"2 features", "others 3"}, [&] { simulate(data, options, "line"); });
  data = {first_of(mixtures(1, 100)[0], 0), first_of(mixtures(1, 100)[0], 0)};
  expect_error(ErrorCategory::BadData, {"no node's stream"}, [&] { simulate(data, options, "line"); });
}

TEST(OnlineKernel, RefusesOptionsThatCannotBe) {
  const auto refuse = [](std::initializer_list<const char*> words, auto change) {
    Options options = mixture_options(Consensus::diffusion);
    change(options);
    expect_error(ErrorCategory::InvalidArgument, words, [&] { validate(options); });
  };
  refuse({"at least 2 classes"}, [](Options& o) { o.classes = {1}; });
  refuse({"ascend"}, [](Options& o) { o.classes = {1, 1}; });
  refuse({"no classes", "squared"}, [](Options& o) { o.loss = Loss::squared; });
  refuse({"k(x,x)", "eta"}, [](Options& o) {
    o.kernel.kind = KernelKind::linear;
    o.eta = {};
  });
  refuse({"eta is -1"}, [](Options& o) { o.eta = -1; });
  refuse({"eta times alpha"}, [](Options& o) { o.alpha = 0.5; });
  refuse({"batch is 0"}, [](Options& o) { o.batch = 0; });
  refuse({"max_atoms"}, [](Options& o) { o.max_atoms = 0; });
  refuse({"epsilon"}, [](Options& o) { o.epsilon = -0.1; });
  refuse({"penalty"}, [](Options& o) { o.penalty = std::nan(""); });
  refuse({"huber_width"}, [](Options& o) { o.huber_width = 0; });
  Options linear = mixture_options(Consensus::diffusion);
  linear.kernel.kind = KernelKind::linear;
  linear.eta = 0.1;
  EXPECT_NO_THROW(validate(linear));
}

// Every message of the slow node comes ten seconds late.
TEST(OnlineKernel, GoesOnWithoutANodeThatMissesItsDeadline) {
  const Mixtures mixture(3);
  const std::vector<TargetedSamples> data = mixtures(5, 1500);
  SimOptions network;
  network.slow.push_back({.node = 2, .factor = 20000});
  RunOptions run{.seed = 1, .deadline = std::chrono::seconds(1)};
  const Graph graph = make_topology("ring:2", 5, 0);
  for (const Consensus consensus : {Consensus::diffusion, Consensus::penalty}) {
    SimEngine engine(network);
    Options options = mixture_options(consensus);
    run.lost_peers = LostPeers::proceed;
    const Fit fit = fit_online_kernel(engine, graph, streams_of(data), options, run);
    EXPECT_FALSE(fit.report.losses.empty());
    const TargetedSamples test = mixture.draw(1000, 7);
    for (const NodeId node : {0, 1, 3, 4}) {
      EXPECT_EQ(fit.at(node).state.samples, 1500u);
      EXPECT_GT(testing::accuracy_of(fit.at(node), test), 0.9 * mixture.bayes_accuracy(test));
    }
    run.lost_peers = LostPeers::fail;
    SimEngine strict(network);
    expect_error(ErrorCategory::PeerLost, {"node 2"},
                 [&] { fit_online_kernel(strict, graph, streams_of(data), options, run); });
  }
}

TEST(OnlineKernel, MakesAMachineOfWhatItLearned) {
  const Fit fit = simulate(mixtures(2, 200), mixture_options(Consensus::diffusion), "line");
  const KernelMachine machine = machine_of(fit.at(1));
  EXPECT_EQ(machine.points, fit.at(1).state.f.atoms);
  EXPECT_EQ(machine.weights, fit.at(1).state.f.weights);
  EXPECT_EQ(machine.kernel, fit.at(1).state.kernel);
  EXPECT_EQ(machine.loss, "logistic");
  EXPECT_EQ(machine.classes, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(machine.training_samples, 200u);
}

}  // namespace
}  // namespace choir::online_kernel
