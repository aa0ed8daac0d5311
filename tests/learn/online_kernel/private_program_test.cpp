// Streams under differential privacy: the answer is that of one machine over all samples but for the noise,
// and nothing but the noisy total depends on a sample.
#include "choir/learn/online_kernel/private_program.h"

#include <cmath>

#include "learn/online_kernel/toy.h"
#include <Eigen/QR>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/kernel/random_features.h"
#include "choir/learn/online_kernel/class_moments.h"
#include "choir/learn/online_kernel/findings.h"
#include "choir/learn/online_kernel/ridge_family.h"
#include "choir/learn/online_kernel/total.h"
#include "choir/learn/privacy/noisy_moments.h"
#include "choir/runtime/blocks/tree_sum.h"
#include "choir/runtime/message_codec.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::online_kernel {

// Adds up what is read. In a coroutine's frame, so not in the unnamed namespace: g++ objects.
class TallyStream : public SampleStream {
 public:
  explicit TallyStream(SampleStream& stream) : stream_(stream) {}

  std::optional<TargetedSamples> next(Index count) override {
    std::optional<TargetedSamples> batch = stream_.next(count);
    if (batch) sum += batch->samples.sum();
    return batch;
  }
  std::uint64_t skip(std::uint64_t count) override { return stream_.skip(count); }
  Index features() const override { return stream_.features(); }

  double sum = 0;

 private:
  SampleStream& stream_;
};

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double hardly_private = 1e12;
// Of weights of about 1: directions that the least noise makes negative get none, which shows by its square
// root.
constexpr double almost_equal = 5e-3;

Options private_mixture(double epsilon, Index features = 40) {
  Options options;
  options.gamma = {.rule = GammaRule::number, .value = 1 / (2 * 0.36)};
  options.classes = {0, 1, 2, 3, 4};
  options.n_features = features;
  options.class_weights = ClassWeights::none;
  options.privacy.epsilon = epsilon;
  return options;
}

std::vector<TargetedSamples> streams(Index nodes = 4, Index each = 100) {
  return permuted(Mixtures(3).draw(each, 1), nodes, 2);
}

// The features of a node's model, of all streams, one after the other.
Matrix features_of_all(const std::vector<TargetedSamples>& data, const NodeResult& fit) {
  const FeatureSet& set = *fit.state.features;
  Matrix psi(set.size(), 0);
  for (const TargetedSamples& part : data) {
    const Matrix more =
        RandomFeatures::draw(fit.state.kernel, part.samples.rows(), *set.random).transform(part.samples);
    Matrix all(psi.rows(), psi.cols() + more.cols());
    all << psi, more;
    psi = all;
  }
  return psi;
}

Matrix targets_of_all(const std::vector<TargetedSamples>& data) {
  Index count = 0;
  for (const TargetedSamples& part : data) count += part.targets.size();
  Vector all(count);
  Index next = 0;
  for (const TargetedSamples& part : data)
    for (const double target : part.targets) all(next++) = target;
  return coded_targets(all, Mixtures::classes);
}

// sum w |y - W'psi - b|^2 + ridge |W|^2, over the samples themselves.
Matrix dense_ridge(const Matrix& psi, const Matrix& targets, const Vector& weights, double ridge) {
  const Index m = psi.rows(), count = psi.cols();
  const Vector roots = weights.cwiseSqrt();
  Matrix rows = Matrix::Zero(count + m, m + 1);
  rows.topLeftCorner(count, m) = roots.asDiagonal() * psi.transpose();
  rows.col(m).head(count) = roots;
  rows.bottomLeftCorner(m, m).diagonal().setConstant(std::sqrt(ridge));
  Matrix answers = Matrix::Zero(count + m, targets.cols());
  answers.topRows(count) = roots.asDiagonal() * targets;
  return rows.colPivHouseholderQr().solve(answers);
}

TEST(PrivateProgram, WithHardlyAnyNoiseTheAnswerIsThatOfOneMachineOverAllSamples) {
  const auto data = streams();
  const Fit fit = simulate(data, private_mixture(hardly_private), "ring:2");
  const Matrix psi = features_of_all(data, fit.at(0));
  const double ridge = fit.at(0).state.features->ridge;
  EXPECT_NEAR(ridge, 1, 0.01);
  const Matrix expected = dense_ridge(psi, targets_of_all(data), Vector::Ones(psi.cols()), ridge);
  EXPECT_LT((fit.at(0).state.features->weights - expected).cwiseAbs().maxCoeff(), almost_equal);
}

TEST(PrivateProgram, AllNodesEndWithTheSameModel) {
  const Fit fit = simulate(streams(), private_mixture(1), "ring:2");
  for (NodeId node = 1; node < 4; ++node) {
    EXPECT_EQ(fit.at(node).state.features->weights, fit.at(0).state.features->weights);
    EXPECT_EQ(fit.at(node).state.features->random, fit.at(0).state.features->random);
  }
}

// Streams of different lengths: what a sample weighs goes by rounds, of the longest stream.
TEST(PrivateProgram, AGivenHalfLifeWeighsSamplesByTheirAge) {
  auto data = streams(3, 96);
  data[1] = first_of(data[1], 40);
  Options options = private_mixture(hardly_private);
  options.half_life = 64;
  options.batch = 16;
  const Fit fit = simulate(data, options, "line");
  std::vector<double> weights;
  for (const TargetedSamples& part : data) {
    for (Index n = 0; n < part.targets.size(); ++n)
      weights.push_back(std::exp2(-48.0 * (5 - static_cast<double>(n / 16)) / 64));
  }
  const Matrix psi = features_of_all(data, fit.at(2));
  const Vector all = Eigen::Map<Vector>(weights.data(), std::ssize(weights));
  const Matrix expected = dense_ridge(psi, targets_of_all(data), all, fit.at(2).state.features->ridge);
  EXPECT_LT((fit.at(2).state.features->weights - expected).cwiseAbs().maxCoeff(), almost_equal);
}

TEST(PrivateProgram, LearnsUnderNoiseAndFindsRareClasses) {
  const Mixtures truth(3);
  const TargetedSamples test = truth.draw(1000, 8);
  Options options = private_mixture(4, 100);
  options.class_weights = ClassWeights::balanced;
  const Fit fit = simulate(skewed(truth.draw(4000, 1), 10, 600, 2), options, "ring:2");
  EXPECT_GT(accuracy_of(fit.at(3), test), 0.9 * truth.bayes_accuracy(test));
  EXPECT_THAT(fit.at(3).notes, IsEmpty());
}

TEST(PrivateProgram, SaysThatNoiseIsLargerThanWhatItHides) {
  const Fit fit = simulate(streams(4, 50), private_mixture(0.1), "line");
  EXPECT_THAT(fit.at(2).notes, ElementsAre(HasSubstr("the noise is larger than all that the moments show")));
}

// The noise is the system's: the same run again opens another total, and the ridge is of the noise alone.
TEST(PrivateProgram, NoiseDoesNotComeFromTheSeed) {
  const Fit one = simulate(streams(), private_mixture(1), "line");
  const Fit two = simulate(streams(), private_mixture(1), "line");
  EXPECT_NE(one.at(0).state.features->weights, two.at(0).state.features->weights);
  EXPECT_EQ(one.at(0).state.features->random, two.at(0).state.features->random);
  EXPECT_EQ(one.at(0).state.features->ridge, two.at(0).state.features->ridge);
}

TEST(PrivateProgram, SaysWhatItPromises) {
  const Fit fit = simulate(streams(), private_mixture(2), "line");
  ASSERT_TRUE(fit.at(1).privacy);
  EXPECT_EQ(fit.at(1).privacy->asked.epsilon, 2);
  EXPECT_EQ(fit.at(1).privacy->releases.size(), 1U);
}

TEST(PrivateProgram, LongFeaturesAreShortened) {  // an odd number of them is longer than 1 for some samples
  const auto data = streams();
  const Fit fit = simulate(data, private_mixture(hardly_private, 3), "line");
  const Matrix psi = features_of_all(data, fit.at(0));
  ASSERT_GT(psi.colwise().norm().maxCoeff(), 1.01);
  const Matrix expected = dense_ridge(within_unit_length(psi), targets_of_all(data), Vector::Ones(psi.cols()),
                                      fit.at(0).state.features->ridge);
  EXPECT_LT((fit.at(0).state.features->weights - expected).cwiseAbs().maxCoeff(), almost_equal);
}

// Of a run whose noise decides about no note.
Options overheard_options() { return private_mixture(100); }

TEST(PrivateProgram, ASampleThatIsTooLargeForItsFeaturesCountsAsNone) {
  auto data = streams();
  data[1].samples.col(5).setConstant(1e308);
  const Fit fit = simulate(data, private_mixture(hardly_private), "line");
  EXPECT_TRUE(fit.at(0).state.features->weights.allFinite());
  ASSERT_FALSE(features_of_all(data, fit.at(0)).allFinite());
}

// What leaves the nodes, in its order: the simulator's, which goes by no clock.
struct Told {
  NodeId from = 0;
  NodeId to = 0;
  Kind kind = Kind::control;
  ByteBuffer bytes;

  bool same_envelope(const Told& other) const {
    return from == other.from && to == other.to && kind == other.kind && bytes.size() == other.bytes.size();
  }
};

struct Overheard {
  std::vector<Told> messages;
  Fit fit;
};

using Program = std::function<Task<NodeResult>(Node&, SampleStream&, const Hooks&)>;

Overheard overhear(const std::vector<TargetedSamples>& data, const Program& program,
                   const Hooks& hooks = {}) {
  Overheard heard;
  RunOptions run{.seed = 1};
  run.audit = [&](NodeId from, NodeId to, const Message& message) {
    Told told{.from = from, .to = to, .kind = message.kind(), .bytes = {}};
    encode(message, told.bytes);
    heard.messages.push_back(std::move(told));
  };
  SimEngine engine;
  const Graph graph = make_topology("ring:2", std::ssize(data), 1);
  const Contract kept = contract({.graph = graph, .features = 2}, overheard_options());
  const Streams own = streams_of(data);
  auto outcome = run_nodes<NodeResult>(engine, graph, kept, run, [&](Node& node) {
    return program(node, *own[static_cast<std::size_t>(node.id())], hooks);
  });
  heard.fit = {.nodes = std::move(outcome.results), .report = std::move(outcome.report)};
  return heard;
}

Task<NodeResult> as_it_is(Node& node, SampleStream& stream, const Hooks& hooks) {
  return private_program(node, stream, overheard_options(), hooks, std::make_shared<FeatureStore>());
}

// What the detector below must find: a sum of samples that nobody charged for.
Task<NodeResult> with_a_leak(Node& node, SampleStream& stream, const Hooks& hooks) {
  TallyStream tally(stream);
  NodeResult result =
      co_await private_program(node, tally, overheard_options(), hooks, std::make_shared<FeatureStore>());
  Matrix mine = Matrix::Constant(1, 1, tally.sum);
  co_await tree_sum(node, node.tree(), std::move(mine), Kind::control);
  co_return result;
}

// Another sample of another class at one node.
std::vector<TargetedSamples> with_one_replaced(std::vector<TargetedSamples> data) {
  data[2].samples.col(17) << 40, -40;
  data[2].targets(17) = std::fmod(data[2].targets(17) + 1, Mixtures::classes);
  return data;
}

// Messages that are the same whenever the run is repeated, and others with one sample replaced. What differs
// between repetitions comes from the system's randomness: masks, keys and the noisy total.
Index telling_messages(const Program& program) {
  const auto data = streams();
  const Overheard once = overhear(data, program), again = overhear(data, program);
  const Overheard replaced = overhear(with_one_replaced(data), program);
  EXPECT_EQ(once.messages.size(), again.messages.size());
  EXPECT_EQ(once.messages.size(), replaced.messages.size());
  Index telling = 0;
  for (std::size_t i = 0; i < std::min(once.messages.size(), replaced.messages.size()); ++i) {
    const Told &a = once.messages[i], &b = again.messages[i], &c = replaced.messages[i];
    EXPECT_TRUE(a.same_envelope(b));
    const bool random = a.bytes != b.bytes;
    if (random) EXPECT_TRUE(a.kind == Kind::masked || a.kind == Kind::totals || a.kind == Kind::control);
    telling += !a.same_envelope(c) || (!random && a.bytes != c.bytes);
  }
  return telling;
}

TEST(PrivateProgram, NoMessageButTheNoisyTotalDependsOnASample) { EXPECT_EQ(telling_messages(as_it_is), 0); }

TEST(PrivateProgram, AMessageThatDependsOnASampleWouldBeSeen) { EXPECT_GT(telling_messages(with_a_leak), 0); }

// But for the weights nothing in what a node knows in the end, or tells its hooks on the way, depends on a
// sample; without privacy the same two data sets are told apart.
TEST(PrivateProgram, NoStateButTheWeightsDependsOnASample) {
  const auto data = streams();
  const auto end = [&](const std::vector<TargetedSamples>& streams) {
    return overhear(streams, as_it_is).fit;
  };
  const Fit fit = end(data), other = end(with_one_replaced(data));
  for (NodeId node = 0; node < 4; ++node) {
    State state = fit.at(node).state;
    state.features->weights = other.at(node).state.features->weights;
    expect_same(state, other.at(node).state);
    EXPECT_EQ(fit.at(node).notes, other.at(node).notes);
  }
  Options open = overheard_options();
  open.representation = Representation::random_features;
  open.privacy = {};
  const Fit seen = simulate(data, open, "ring:2"),
            seen_other = simulate(with_one_replaced(data), open, "ring:2");
  EXPECT_NE(seen.at(2).state.progressive.loss, seen_other.at(2).state.progressive.loss);
}

TEST(PrivateProgram, RoundsTellNothingOfSamples) {
  const auto rounds = [](const std::vector<TargetedSamples>& data) {
    std::vector<double> told;
    Hooks hooks;
    hooks.after_round = [&](const Round& round, const State& state) {
      told.insert(told.end(), {static_cast<double>(round.node), static_cast<double>(round.round), round.loss,
                               round.mistakes, round.judged, round.progressive_loss, round.recent_loss,
                               round.progressive_quality, round.disagreement, round.compression,
                               static_cast<double>(round.samples)});
      EXPECT_EQ(state.features->closed.samples, 0);
      EXPECT_EQ(state.features->pending.products.norm(), 0);
      EXPECT_EQ(state.features->recent.samples.size(), 0);
    };
    overhear(data, as_it_is, hooks);
    return told;
  };
  const auto once = rounds(streams());
  EXPECT_GT(once.size(), 100U);
  EXPECT_EQ(once, rounds(with_one_replaced(streams())));
}

}  // namespace
}  // namespace choir::online_kernel
