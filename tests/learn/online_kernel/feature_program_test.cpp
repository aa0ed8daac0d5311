// Learning by sums of features: one answer for all streams, whoever has seen what.
#include "choir/learn/online_kernel/feature_program.h"

#include <cmath>
#include <map>
#include <mutex>

#include "learn/online_kernel/toy.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/online_kernel/findings.h"
#include "choir/runtime/engines.h"

namespace choir::online_kernel {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Options feature_options(Options options, Index features,
                        Representation kind = Representation::random_features) {
  options.representation = kind;
  options.n_features = features;
  options.n_landmarks = features;
  options.class_weights = ClassWeights::balanced;
  return options;
}

Options mixture_features(Index features = 60) {
  return feature_options(mixture_options(Consensus::diffusion), features);
}
Options wave_features(Index features = 60) {
  return feature_options(wave_options(Consensus::diffusion), features);
}

// The samples of `data` as so many nodes' streams, one after the other.
std::vector<TargetedSamples> divided(const TargetedSamples& data, Index nodes) {
  std::vector<TargetedSamples> parts;
  const Index each = data.samples.cols() / nodes;
  for (Index node = 0; node < nodes; ++node) {
    parts.push_back({.samples = data.samples.middleCols(node * each, each),
                     .targets = data.targets.segment(node * each, each)});
  }
  return parts;
}

double accuracy(const NodeResult& fit, const TargetedSamples& test) {
  return (machine_of(fit).predict(test.samples).array() == test.targets.array()).cast<double>().mean();
}

std::vector<std::string> weaknesses_of(const NodeResult& fit, const Options& options) {
  return weaknesses({findings_of(fit, History())}, options);
}

double error_of(const NodeResult& fit, const TargetedSamples& test) {
  const Vector residuals = machine_of(fit).predict(test.samples) - test.targets;
  return std::sqrt(residuals.squaredNorm() / static_cast<double>(residuals.size()));
}

TargetedSamples one_after_the_other(const TargetedSamples& a, const TargetedSamples& b) {
  TargetedSamples both{.samples = Samples(a.samples.rows(), a.samples.cols() + b.samples.cols()),
                       .targets = Vector(a.targets.size() + b.targets.size())};
  both.samples << a.samples, b.samples;
  both.targets << a.targets, b.targets;
  return both;
}

// Sorted by their first coordinate, so that every node sees a strip of its own.
TargetedSamples sorted_waves(Index count) {
  TargetedSamples all = waves(count, -2, 2, 0.05, 1);
  std::vector<Index> order(static_cast<std::size_t>(count));
  for (Index n = 0; n < count; ++n) order[static_cast<std::size_t>(n)] = n;
  std::ranges::sort(order, {}, [&](Index n) { return all.samples(0, n); });
  return testing::chosen_of(all, order);
}

TEST(FeatureProgram, TheAnswerDoesNotDependOnWhoHasWhichSample) {
  const TargetedSamples data = sorted_waves(400);
  const TargetedSamples test = waves(200, -2, 2, 0, 9);
  const Fit one = simulate(divided(data, 1), wave_features(), "line");
  const Vector expected = machine_of(one.at(0)).predict(test.samples);
  for (const Index nodes : {4, 20}) {
    const Fit fit = simulate(divided(data, nodes), wave_features(), "ring:2");
    for (NodeId node = 0; node < nodes; ++node) {
      const Vector answers = machine_of(fit.at(node)).predict(test.samples);
      EXPECT_LT((answers - expected).cwiseAbs().maxCoeff(), 1e-7) << nodes;
      EXPECT_EQ(fit.at(node).state.features->weights, fit.at(0).state.features->weights);
    }
  }
}

TEST(FeatureProgram, LearnsClassesThatNoNodeHasAllOf) {
  const Mixtures truth(3);
  const TargetedSamples test = truth.draw(1000, 8);
  const Fit fit = simulate(skewed(truth.draw(2000, 1), 10, 300, 2), mixture_features(), "ring:2");
  for (NodeId node = 0; node < 10; ++node)
    EXPECT_GT(accuracy(fit.at(node), test), 0.97 * truth.bayes_accuracy(test));
  EXPECT_THAT(weaknesses_of(fit.at(0), mixture_features()), IsEmpty());
}

TEST(FeatureProgram, LandmarksAreAsGood) {
  const Mixtures truth(3);
  const TargetedSamples test = truth.draw(1000, 8);
  const Options options =
      feature_options(mixture_options(Consensus::diffusion), 60, Representation::landmarks);
  const Fit fit = simulate(skewed(truth.draw(2000, 1), 5, 300, 2), options, "ring:2");
  EXPECT_GT(accuracy(fit.at(4), test), 0.97 * truth.bayes_accuracy(test));
}

TEST(FeatureProgram, SendsNoSample) {
  const Fit fit = simulate(permuted(Mixtures(3).draw(300, 1), 5, 2), mixture_features(), "ring:2");
  for (const Kind kind : all_kinds) {
    const bool allowed = kind == Kind::masked || kind == Kind::totals || kind == Kind::control;
    EXPECT_EQ(fit.report.ledger.total(kind).bytes > 0, allowed) << to_string(kind);
  }
}

// Every total has at least four new samples for each of its features, the last one, too.
TEST(FeatureProgram, TotalsAreOpenedOverManyNewSamples) {
  const Index features = 20;
  std::vector<double> waiting;  // samples in no total yet, before every opening
  FeatureState before;
  Hooks hooks;
  hooks.after_round = [&](const Round& round, const State& state) {
    if (round.node != 0) return;
    if (state.features->totals > before.totals) waiting.push_back(before.unopened);
    before = *state.features;
  };
  const auto data = permuted(Mixtures(3).draw(170, 1), 3, 2);
  const Fit fit = simulate(data, mixture_features(features), "line", hooks);
  EXPECT_GT(std::ssize(waiting), 2);
  for (const double samples : waiting) EXPECT_GE(samples, 4 * features);
  const FeatureState& last = *fit.at(0).state.features;
  EXPECT_EQ(last.used, features);
  EXPECT_NEAR(last.total, 510, 1e-9);
  EXPECT_EQ(last.unopened, 0);
}

TEST(FeatureProgram, ShortStreamsUseAQuarterAsManyFeatures) {
  const Fit fit = simulate(permuted(Mixtures(3).draw(50, 1), 3, 2), mixture_features(100), "line");
  EXPECT_EQ(fit.at(1).state.features->used, 36);  // 150 samples, in pairs
  EXPECT_EQ(fit.at(1).state.features->totals, 1);
  EXPECT_THAT(fit.at(1).notes, ElementsAre(HasSubstr("36 of 100 features are used")));
  const Fit longer = simulate(permuted(Mixtures(3).draw(500, 1), 3, 2), mixture_features(100), "line");
  EXPECT_THAT(longer.at(1).notes, IsEmpty());
}

TEST(FeatureProgram, ValuesOfAnyScaleAreLearnedAlike) {
  const auto error = [](double factor, double shift) {
    TargetedSamples data = waves(800, -2, 2, 0.05, 1);
    TargetedSamples test = waves(400, -2, 2, 0, 9);
    data.targets = (factor * data.targets).array() + shift;
    test.targets = (factor * test.targets).array() + shift;
    const Fit fit = simulate(divided(data, 4), wave_features(), "line");
    return error_of(fit.at(2), test) / factor;
  };
  const double plain = error(1, 0);
  EXPECT_LT(plain, 0.05);
  EXPECT_NEAR(error(0.01, 0), plain, 1e-6);
  EXPECT_NEAR(error(1000, 0), plain, 1e-6);
  EXPECT_NEAR(error(1, 100), plain, 1e-6);
}

// One of fifty samples is of the second class, which the first one surrounds.
TargetedSamples rare_class(Index count, std::uint64_t seed) {
  Rng random(seed, Purpose("test-rare-class"));
  TargetedSamples data{.samples = Samples(2, count), .targets = Vector(count)};
  for (Index n = 0; n < count; ++n) {
    data.targets(n) = random.below(50) == 0 ? 1 : 0;
    data.samples.col(n) << random.normal(), random.normal();
    if (data.targets(n) == 1) data.samples.col(n) = Vector{{1.5, 1.5}} + 0.3 * data.samples.col(n);
  }
  return data;
}

TEST(FeatureProgram, BalancedWeightsFindARareClass) {
  const TargetedSamples data = rare_class(2000, 1);
  TargetedSamples test = rare_class(5000, 2);
  const auto recall = [&](ClassWeights weights) {
    Options options = mixture_features();
    options.classes = {0, 1};
    options.class_weights = weights;
    const Fit fit = simulate(divided(data, 4), options, "line");
    const Vector answers = machine_of(fit.at(0)).predict(test.samples);
    return (answers.array() * test.targets.array()).sum() / test.targets.sum();
  };
  EXPECT_GT(recall(ClassWeights::balanced), 0.8);
  EXPECT_LT(recall(ClassWeights::none), 0.6);
}

// The wave turns round after `before` samples of each of two nodes.
std::vector<TargetedSamples> turning(Index before, Index after) {
  const auto flipped = [](Index count, double sign, std::uint64_t seed) {
    TargetedSamples data = waves(count, -2, 2, 0.05, seed);
    data.targets *= sign;
    return data;
  };
  std::vector<TargetedSamples> data;
  for (std::uint64_t node = 0; node < 2; ++node) {
    data.push_back(one_after_the_other(flipped(before, -1, node), flipped(after, 1, 10 + node)));
  }
  return data;
}

TEST(FeatureProgram, AHalfLifeFollowsAChange) {
  const std::vector<TargetedSamples> data = turning(1500, 1000);
  const TargetedSamples test = waves(400, -2, 2, 0, 99);
  Options options = wave_features();
  options.half_life = 0;
  const Fit mixed = simulate(data, options, "line");
  EXPECT_GT(error_of(mixed.at(0), test), 0.4);
  options.half_life = 500;
  const Fit follows = simulate(data, options, "line");
  EXPECT_LT(error_of(follows.at(0), test), 0.15);
}

TEST(FeatureProgram, AChangeIsFollowedUntold) {
  const TargetedSamples test = waves(400, -2, 2, 0, 99);
  const Fit fit = simulate(turning(1500, 1000), wave_features(), "line");
  EXPECT_GT(fit.at(0).state.features->half_life, 0);
  EXPECT_LT(error_of(fit.at(0), test), 0.1);
  EXPECT_EQ(fit.at(1).state.features->half_life, fit.at(0).state.features->half_life);
  EXPECT_TRUE(fit.at(1).state.features->memories.sums.empty()) << "the root's alone";
}

TEST(FeatureProgram, AStreamThatStaysIsNotForgotten) {
  const Fit fit = simulate(divided(waves(6000, -2, 2, 0.3, 1), 2), wave_features(20), "line");
  EXPECT_GT(fit.at(0).state.features->totals, 10);
  EXPECT_EQ(fit.at(0).state.features->half_life, 0);
  EXPECT_EQ(fit.at(0).state.features->renewals, 0);
}

// From some sample on all features are in other units, or the samples in another place.
std::vector<TargetedSamples> moving(Index before, Index after, double factor, double shift) {
  std::vector<TargetedSamples> data;
  for (std::uint64_t node = 0; node < 2; ++node) {
    TargetedSamples later = waves(after, -2, 2, 0.05, 10 + node);
    later.samples = (factor * later.samples).array() + shift;
    data.push_back(one_after_the_other(waves(before, -2, 2, 0.05, node), later));
  }
  return data;
}

Options moving_features(Representation kind) {
  Options options = feature_options(wave_options(Consensus::diffusion), 40, kind);
  options.gamma = parse_gamma("scale");
  options.preprocessing.standardize = Standardize::zscore;
  return options;
}

// Scales, gamma and landmarks of before are of no use after it.
TEST(FeatureProgram, NewFeaturesTakeOverWhereTheOldOnesNoLongerFit) {
  TargetedSamples test = waves(400, -2, 2, 0, 99);
  test.samples = (30 * test.samples).array() + 500;
  for (const Representation kind : {Representation::landmarks, Representation::random_features}) {
    const Options options = moving_features(kind);
    const Fit fit = simulate(moving(600, 1200, 30, 500), options, "line");
    EXPECT_EQ(fit.at(1).state.features->renewals, 1);
    EXPECT_FALSE(fit.at(1).state.features->rival);
    EXPECT_LT(error_of(fit.at(1), test), 0.2);
    EXPECT_EQ(fit.at(1).state.features->weights, fit.at(0).state.features->weights);
    const Fit short_of_samples = simulate(moving(600, 150, 30, 500), options, "line");
    EXPECT_EQ(short_of_samples.at(1).state.features->renewals, 0);
  }
}

// Every total has 4 new samples for each feature of the sets that learn from them.
TEST(FeatureProgram, TotalsOfTwoSetsHaveNewSamplesForBoth) {
  FeatureState before;
  Index openings = 0;
  Hooks hooks;
  hooks.after_round = [&](const Round& round, const State& state) {
    if (round.node != 0) return;
    const FeatureState& now = *state.features;
    if (before.rival && before.rival->total > 0 && now.totals > before.totals) {
      const double needed = 4 * static_cast<double>(before.size() + before.rival->size());
      EXPECT_GE(before.unopened, needed);
      EXPECT_TRUE(now.totals == before.totals + 1 || before.rival->unopened >= needed);
      openings += 1;
    }
    before = now;
  };
  simulate(moving(600, 1200, 30, 500), moving_features(Representation::landmarks), "line", hooks);
  EXPECT_GT(openings, 0);
}

TEST(FeatureProgram, LabelsWithoutMeaningAreCalledSo) {
  TargetedSamples data = Mixtures(3).draw(600, 1);
  Rng random(5, Purpose("test-labels"));
  for (double& label : data.targets) label = static_cast<double>(random.below(5));
  const Fit fit = simulate(divided(data, 3), mixture_features(), "line");
  EXPECT_THAT(weaknesses_of(fit.at(2), mixture_features()),
              ::testing::Contains(HasSubstr("no better than a constant one")));
}

TEST(FeatureProgram, ChancesAreTrue) {
  const TargetedSamples data = rare_class(3000, 1);
  TargetedSamples test = rare_class(20000, 2);
  Options options = mixture_features();
  options.classes = {0, 1};
  options.class_weights = ClassWeights::none;
  const Fit fit = simulate(divided(data, 3), options, "line");
  const Matrix chances = machine_of(fit.at(0)).probabilities(test.samples);
  EXPECT_NEAR(chances.col(1).mean(), test.targets.mean(), 0.02);
}

// All states of all nodes after all rounds: a run goes on from any of them with the same bits.
// Returns the last one of node 0.
State expect_same_bits_from_every_round(const std::vector<TargetedSamples>& data, const Options& options) {
  const auto nodes = static_cast<NodeId>(data.size());
  const Graph graph = make_topology("line", nodes, 0);
  std::mutex mutex;
  std::map<std::pair<NodeId, std::uint64_t>, State> states;
  Hooks keeping;
  keeping.after_round = [&](const Round& round, const State& state) {
    const std::lock_guard lock(mutex);
    states[{round.node, round.round}] = state;
  };
  const Fit whole = simulate(data, options, "line", keeping);
  EXPECT_GT(whole.at(0).state.features->totals, 1);
  for (std::uint64_t round = 1; round < whole.at(0).state.round; ++round) {
    Streams streams = streams_of(data);
    for (NodeId node = 0; node < nodes; ++node)
      streams[static_cast<std::size_t>(node)]->skip(states.at({node, round}).samples);
    const Hooks resume{.resume = [&](NodeId node) { return states.at({node, round}); }};
    const auto engine = make_engine(round % 2 == 0 ? "local" : "sim", {.threads = 2});
    const Fit rest = fit_online_kernel(*engine, graph, std::move(streams), options, {.seed = 1}, resume);
    for (NodeId node = 0; node < nodes; ++node) expect_same(rest.at(node).state, whole.at(node).state);
  }
  return whole.at(0).state;
}

TEST(FeatureProgram, ResumesWithTheSameBitsOnEveryEngine) {
  std::vector<TargetedSamples> data = permuted(Mixtures(3).draw(160, 1), 4, 2);
  data[2] = first_of(data[2], 70);
  data[3] = first_of(data[3], 0);
  Options options = mixture_features(10);
  options.gamma = parse_gamma("scale");
  options.preprocessing.standardize = Standardize::zscore;
  expect_same_bits_from_every_round(data, options);
  options.half_life = 300;
  expect_same_bits_from_every_round(data, options);
}

TEST(FeatureProgram, ResumesBesideNewFeaturesToo) {
  Options options = moving_features(Representation::landmarks);
  options.n_landmarks = 10;
  const State last = expect_same_bits_from_every_round(moving(200, 250, 30, 500), options);
  EXPECT_EQ(last.features->renewals, 1);
}

TEST(FeatureProgram, ResumesBesideTheLeadingFeaturesToo) {
  Options options = wave_features(128);
  options.batch = 50;
  const State last = expect_same_bits_from_every_round(turning(500, 700), options);
  ASSERT_TRUE(last.features->quick);
  EXPECT_GT(last.features->quick->used, 0);
}

// As a live stream that ended for a while: its total is opened, and later more samples come.
TEST(FeatureProgram, GoesOnAfterAnEnd) {
  const Index features = 20;
  const TargetedSamples before = waves(400, -2, 2, 0.05, 1);
  const Fit first = simulate(divided(before, 2), wave_features(features), "line");
  const auto more = [&](Index samples) {
    const Hooks hooks{.resume = [&](NodeId node) {
      State state = first.at(node).state;
      state.ended = false;
      state.features->finished = false;
      state.features->next = state.round + 1;
      return state;
    }};
    return simulate(divided(waves(samples, -2, 2, 0.05, 2), 2), wave_features(features), "line", hooks);
  };
  const FeatureState& old = *first.at(0).state.features;
  const Fit few = more(40);
  EXPECT_EQ(few.at(1).state.features->weights, old.weights) << "a total of 40 samples has few features";
  EXPECT_EQ(few.at(1).state.features->unopened, 40);
  EXPECT_THAT(few.at(1).notes, ElementsAre(HasSubstr("the last 40 samples are kept but not in the answer")));
  const Fit many = more(200);
  EXPECT_EQ(many.at(1).state.features->totals, old.totals + 1);
  EXPECT_EQ(many.at(1).state.features->used, features);
  EXPECT_EQ(many.at(1).state.features->total, 600);
  EXPECT_EQ(many.at(1).state.features->weights, many.at(0).state.features->weights);
}

TEST(FeatureProgram, PredictsBeforeItLearnsInTheUnitsOfTheTargets) {
  TargetedSamples data = waves(800, -2, 2, 0.05, 1);
  data.targets = (1000 * data.targets).array() + 500;
  std::uint64_t next = 0;
  double late = 0;
  Hooks hooks;
  hooks.predicted = [&](NodeId, std::uint64_t before, const Matrix& scores, const Vector& targets) {
    EXPECT_EQ(before, next);
    const auto first = static_cast<Index>(before);
    EXPECT_EQ(targets, data.targets.segment(first, targets.size()));
    next += static_cast<std::uint64_t>(targets.size());
    late = std::sqrt((scores.col(0) - targets).squaredNorm() / static_cast<double>(targets.size()));
  };
  const Fit fit = simulate({data}, wave_features(), "line", hooks);
  EXPECT_EQ(next, 800U);
  EXPECT_LT(late, 150);
  const Progressive& seen = fit.at(0).state.progressive;
  EXPECT_EQ(seen.samples, 800 - 64) << "all but those before the first answer";
  EXPECT_LT(seen.rmse(), 300);
  EXPECT_GT(seen.rmse(), 10);
}

TEST(FeatureProgram, RefusesWhatSumsCannotDo) {
  const auto refuses = [](const char* word, const std::function<void(Options&)>& change) {
    Options options = mixture_features();
    change(options);
    expect_error(ErrorCategory::InvalidArgument, {word}, [&] { validate(options); });
  };
  refuses("least squares", [](Options& options) { options.loss = Loss::hinge; });
  refuses("dictionaries", [](Options& options) { options.consensus = Consensus::penalty; });
  refuses("no random features", [](Options& options) { options.kernel.kind = KernelKind::poly; });
  refuses("half_life", [](Options& options) { options.half_life = -1; });
  refuses("n_features", [](Options& options) { options.n_features = 1; });
}

}  // namespace
}  // namespace choir::online_kernel
