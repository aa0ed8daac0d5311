#include <algorithm>
#include <chrono>
#include <cmath>

#include "graph/expect_error.h"
#include "learn/oneshot_kpca/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/central/kernel_pca.h"
#include "choir/learn/oneshot_kpca/oneshot_kpca.h"
#include "choir/metrics/subspace.h"
#include "choir/runtime/engines.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::oneshot_kpca {
namespace {

using testing::expect_error;
using testing::parties_of;
using testing::party_samples;

Options options_for(KernelKind kind, Index components) {
  Options options;
  options.kernel.kind = kind;
  options.gamma = parse_gamma("0.01");
  options.n_components.count = components;
  return options;
}

Fit run(const std::vector<Samples>& shards, const Options& options, const std::string& topology = "complete",
        std::vector<SampleOrder> orders = {}) {
  SimEngine engine;
  if (orders.empty()) orders.assign(shards.size(), SampleOrder::numbered(shards.front().cols()));
  const Graph graph = make_topology(topology, static_cast<Index>(shards.size()), 0);
  return fit_oneshot_kpca(engine, graph, shards, std::move(orders), options, {.seed = 1});
}

Matrix central_scores(const Samples& samples, Kernel kernel, Index components) {
  central_kpca::Options options;
  options.kernel = kernel;
  options.n_components.count = components;
  return fit_central_kpca(samples, options).scores;
}

std::uint64_t data_messages(const RunReport& report) {
  std::uint64_t count = 0;
  for (const Kind kind : {Kind::raw_samples, Kind::centroids, Kind::features, Kind::coefficients,
                          Kind::own_statistics, Kind::masked, Kind::totals}) {
    count += report.ledger.total(kind).messages;
  }
  return count;
}

// Of a sum under masks: three digits of what it is scaled by, the sum and the result, up and down.
constexpr std::uint64_t of_the_choice = 8;  // a party

TEST(OneshotKpca, GivesTheCentreTheCentralComponentsWithOneMessageAParty) {
  const Samples samples = party_samples(80, 60, 1);
  for (const KernelKind kind : {KernelKind::linear, KernelKind::rbf}) {
    for (const Estimator estimator : {Estimator::product, Estimator::distances}) {
      Options options = options_for(kind, 4);
      options.estimator = estimator;
      options.center = 2;
      options.local_components = 15;
      options.gamma = parse_gamma("0.002");
      const Fit fit = run(parties_of(samples, 4), options);
      const Kernel kernel{.kind = kind, .gamma = 0.002};
      const Matrix truth = central_scores(samples, kernel, 4);
      ASSERT_TRUE(fit.at(2).answer);
      EXPECT_EQ(std::get<KernelPart>(file_of(fit.at(2), {1, 5}).answer()).columns,
                (std::vector<std::int64_t>{1, 5}));
      EXPECT_LT(subspace_error(fit.at(2).answer->scores, truth), 1e-2) << to_string(kind);
      EXPECT_FALSE(fit.at(0).answer);
      EXPECT_EQ(data_messages(fit.report), 3u);
      EXPECT_EQ(fit.at(2).answer->bound.has_value(), estimator == Estimator::product);
    }
  }
}

TEST(OneshotKpca, IsExactIfEveryPartySendsAllItHas) {
  const Samples samples = party_samples(12, 40, 1);
  Options options = options_for(KernelKind::linear, 3);
  options.local_components = 40;
  const Fit fit = run(parties_of(samples, 3), options);
  const Matrix truth = central_scores(samples, {.kind = KernelKind::linear}, 3);
  EXPECT_LT(subspace_error(fit.at(0).answer->scores, truth), 1e-12);
  EXPECT_EQ(*fit.at(0).answer->bound, 0);
}

TEST(OneshotKpca, SaysWhoSendsAsMuchAsItsRawFeaturesAndRefusesItIfAsked) {
  const Samples samples = party_samples(12, 40, 1);
  Options options = options_for(KernelKind::rbf, 3);
  options.estimator = Estimator::product;
  options.local_components = 5;
  const Fit fit = run(parties_of(samples, 3), options);  // 4 features each
  EXPECT_TRUE(fit.at(1).raw_equivalent);
  ASSERT_EQ(fit.at(1).notes.size(), 1u);
  EXPECT_NE(fit.at(1).notes[0].find("rotation"), std::string::npos);
  EXPECT_EQ(fit.report.ledger.total(Kind::raw_samples).messages, 2u);
  options.no_raw_equivalent = true;
  expect_error(ErrorCategory::InvalidArgument, {"4 features", "5 vectors", "more than 5"},
               [&] { run(parties_of(samples, 3), options); });
  options.local_components = 3;
  EXPECT_EQ(run(parties_of(samples, 3), options).report.ledger.total(Kind::raw_samples).messages, 0u);
}

TEST(OneshotKpca, RefusesPartiesThatAreOutOfStepBeforeAnyFactorIsSent) {
  const Samples samples = party_samples(30, 20, 1);
  std::vector<SampleOrder> orders(3, SampleOrder::numbered(20));
  std::swap(orders[2].keys[3], orders[2].keys[4]);
  SimEngine engine;
  RunOptions options{.seed = 1};
  constexpr KindSet before_factors = {Kind::control, Kind::identifiers};
  options.audit = [=](NodeId, NodeId, const Message& message) {
    EXPECT_TRUE(before_factors.has(message.kind())) << to_string(message.kind());
  };
  expect_error(ErrorCategory::BadData, {"2"}, [&] {
    fit_oneshot_kpca(engine, make_topology("complete", 3, 0), parties_of(samples, 3), orders,
                     options_for(KernelKind::rbf, 3), options);
  });
}

// The merged factor is exact as long as it carries the rank.
TEST(OneshotKpca, WithoutACentreEveryPartyGetsTheResult) {
  const Samples samples = party_samples(40, 50, 1);
  for (const KernelKind kind : {KernelKind::rbf, KernelKind::linear, KernelKind::poly}) {
    const Kernel kernel{.kind = kind, .gamma = 0.01};
    const Matrix truth = central_scores(samples, kernel, 3);
    for (const Fusion fusion : {Fusion::tree, Fusion::gossip}) {
      Options options = options_for(kind, 3);
      options.fusion = fusion;
      options.local_components = 49;
      options.messages_per_node = 120;
      const Fit fit = run(parties_of(samples, 6), options, "ring:4");
      EXPECT_GT(fit.report.ledger.total(Kind::raw_samples).messages, 0u);  // what nobody has merged yet
      for (const auto& node : fit.nodes) {
        ASSERT_TRUE(node->answer);
        EXPECT_LT(subspace_error(node->answer->scores, truth), 1e-6) << to_string(kind) << to_string(fusion);
      }
    }
  }
}

TEST(OneshotKpca, GammaRulesMeanWhatTheyMeanCentrally) {
  const Samples samples = party_samples(40, 50, 1);
  for (const Estimator estimator : {Estimator::product, Estimator::distances}) {
    Options options = options_for(KernelKind::rbf, 3);
    options.estimator = estimator;
    options.local_components = 20;
    options.gamma = parse_gamma("scale");
    const Fit fit = run(parties_of(samples, 4), options);
    for (const auto& node : fit.nodes) {
      EXPECT_NEAR(node->kernel.gamma, gamma_scale(samples), 1e-9 * gamma_scale(samples));
    }
  }
}

// Far from zero, whoever fuses.
TEST(OneshotKpca, GammaScaleAndTheAnswerDoNotDependOnTheOrigin) {
  const Samples samples = party_samples(40, 50, 1);
  const Samples far = samples.array() + 1e8;
  for (const KernelKind kind : {KernelKind::rbf, KernelKind::linear}) {
    for (const Fusion fusion : {Fusion::center, Fusion::tree, Fusion::gossip}) {
      Options options = options_for(kind, 3);
      options.fusion = fusion;
      options.gamma = parse_gamma("scale");
      const Fit fit = run(parties_of(far, 4), options);
      if (kind == KernelKind::rbf)
        EXPECT_NEAR(fit.at(3).kernel.gamma, gamma_scale(samples), 1e-6 * gamma_scale(samples));
      const Kernel kernel{.kind = kind, .gamma = gamma_scale(samples)};
      EXPECT_LT(subspace_error(fit.at(0).answer->vectors, central_scores(samples, kernel, 3)), 1e-4)
          << to_string(kind) << to_string(fusion);
    }
  }
}

// Two strong features at different parties: with one vector each the second component would be missing.
TEST(OneshotKpca, ALinearKernelHasAFloorOfVectorsToo) {
  Samples samples = party_samples(26, 60, 1, 26);
  samples.row(3) *= 300;
  samples.row(20) *= 200;
  const Fit fit = run(parties_of(samples, 2), options_for(KernelKind::linear, 4));
  EXPECT_EQ(fit.at(0).vectors_sent, 9);
  EXPECT_EQ(fit.at(0).estimator, Estimator::product);
  const Matrix truth = central_scores(samples, {.kind = KernelKind::linear}, 2);
  EXPECT_LT(subspace_error(fit.at(0).answer->vectors.leftCols(2), truth), 1e-3);
}

// rbf of 3 columns a party: its kernel matrix has many eigenvalues, its distances are exact with 3 vectors.
TEST(OneshotKpca, AutomaticPartiesNeverSendMoreVectorsThanColumns) {
  const Samples samples = party_samples(12, 60, 1);
  const Fit fit = run(parties_of(samples, 4), options_for(KernelKind::rbf, 3));
  const Matrix truth = central_scores(samples, {.kind = KernelKind::rbf, .gamma = 0.01}, 3);
  for (const auto& party : fit.nodes) {
    EXPECT_EQ(party->estimator, Estimator::distances);
    EXPECT_EQ(party->vectors_sent, 3);
  }
  EXPECT_LT(subspace_error(fit.at(0).answer->vectors, truth), 1e-12);
  EXPECT_EQ(fit.at(0).answer->assessment.claimed_similarity.minCoeff(), 1);
  EXPECT_EQ(data_messages(fit.report), 3 * (1 + of_the_choice));
  EXPECT_EQ(fit.report.ledger.total(Kind::raw_samples).messages, 3u) << "as many vectors as columns";
}

// A wide kernel of many columns: both need the floor, and distances send two columns more.
TEST(OneshotKpca, AutomaticPartiesChooseTheProductWhereItIsCheaper) {
  const Samples samples = party_samples(400, 60, 1, 40);
  Options options = options_for(KernelKind::rbf, 3);
  options.gamma = parse_gamma("1e-8");
  const Fit fit = run(parties_of(samples, 2), options);
  EXPECT_EQ(fit.at(1).estimator, Estimator::product);
  EXPECT_EQ(fit.at(1).vectors_sent, 8);
  EXPECT_EQ(data_messages(fit.report), 1 + of_the_choice);
}

TEST(OneshotKpca, SaysThatAnAnswerFromTooFewVectorsIsWeakAndItsAdviceHelps) {
  const Samples samples = party_samples(80, 100, 1, 60);
  Options options = options_for(KernelKind::linear, 5);
  options.local_components = 6;
  const auto assessed = [&] {
    const Fit fit = run(parties_of(samples, 2), options);
    return fit.at(0).answer->assessment;
  };
  const Assessment weak = assessed();
  ASSERT_EQ(weak.weaknesses.size(), 1u);
  EXPECT_NE(weak.weaknesses[0].find("use --local-components 13 or more"), std::string::npos);
  options.local_components = 13;
  const Assessment better = assessed();
  EXPECT_GT(better.claimed_similarity.minCoeff(), weak.claimed_similarity.minCoeff());
  options.local_components = 40;
  EXPECT_TRUE(assessed().good());
}

// The leading directions of one merged factor agree with themselves: only other merges show what these lost.
TEST(OneshotKpca, WithoutACentreAWeakAnswerIsKnownToBeWeak) {
  const Samples samples = party_samples(120, 100, 1, 90);
  for (const Fusion fusion : {Fusion::tree, Fusion::gossip}) {
    Options options = options_for(KernelKind::linear, 4);
    options.fusion = fusion;
    for (const Index directions : {8, 99}) {
      options.local_components = directions;
      const Fit fit = run(parties_of(samples, 6), options);
      EXPECT_EQ(fit.at(2).answer->assessment.good(), directions == 99) << to_string(fusion);
    }
  }
}

TEST(OneshotKpca, PartiesThatGossipedTooLittleKnowThatTheyDisagree) {
  const Samples samples = party_samples(60, 50, 1, 30);
  Options options = options_for(KernelKind::rbf, 3);
  options.fusion = Fusion::gossip;
  for (const Index messages : {8, 120}) {
    options.messages_per_node = messages;
    const Fit fit = run(parties_of(samples, 6), options);
    double smallest = 1;
    for (const auto& party : fit.nodes) {
      smallest = std::min(smallest, smallest_cosine(party->answer->vectors, fit.at(0).answer->vectors));
    }
    for (const auto& party : fit.nodes) {
      EXPECT_NEAR(*party->answer->agreement, smallest, 1e-9);
      EXPECT_EQ(party->answer->converged, messages == 120) << smallest;
    }
  }
}

TEST(OneshotKpca, WithoutACentreTheMedianIsFoundFromTheMergedDistances) {
  const Samples samples = party_samples(30, 80, 1);
  Options options = options_for(KernelKind::rbf, 3);
  options.gamma = parse_gamma("median");
  options.estimator = Estimator::distances;  // a product needs gamma before anything is merged
  for (const Fusion fusion : {Fusion::center, Fusion::tree, Fusion::gossip}) {
    options.fusion = fusion;
    const Fit fit = run(parties_of(samples, 3), options);
    const double gamma = fit.at(0).kernel.gamma;
    EXPECT_NEAR(gamma, gamma_median(samples, 0), 0.05 * gamma) << to_string(fusion);
    const Matrix truth = central_scores(samples, {.kind = KernelKind::rbf, .gamma = gamma}, 3);
    EXPECT_LT(subspace_error(fit.at(0).answer->scores, truth), 1e-2) << to_string(fusion);
  }
}

// The eigenvalues of its matrix add up to less than 0; those that are kept are positive.
TEST(OneshotKpca, AnIndefiniteKernelWithANegativeTraceHasAModel) {
  const Samples samples = 4 + 0.1 * party_samples(6, 60, 1).array();  // where tanh levels off
  Options options = options_for(KernelKind::sigmoid, 2);
  options.kernel.coef0 = -1;
  options.gamma = parse_gamma("0.05");
  options.local_components = 3;  // all that a party has
  const Fit fit = run(parties_of(samples, 2), options);
  const Answer& answer = *fit.at(0).answer;
  ASSERT_LT(answer.trace, 0);
  const auto part = std::get<KernelPart>(file_of(fit.at(0), {0, 1, 2}).answer());
  EXPECT_DOUBLE_EQ(part.trace, answer.eigenvalues.sum());
}

// Six messages do not cross a line of 24 parties. Nobody is gone, so that this is no reason to fail.
TEST(OneshotKpca, WhereGossipDoesNotReachAllPartiesATreeDoes) {
  const Samples samples = party_samples(48, 50, 1);
  Options options = options_for(KernelKind::rbf, 3);
  options.fusion = Fusion::gossip;
  options.messages_per_node = 6;
  const Fit gossiped = run(parties_of(samples, 24), options, "line");
  options.fusion = Fusion::tree;
  const Fit along_tree = run(parties_of(samples, 24), options, "line");
  const Matrix truth = central_scores(samples, {.kind = KernelKind::rbf, .gamma = 0.01}, 3);
  for (NodeId party = 0; party < 24; ++party) {
    const NodeResult& mine = gossiped.at(party);
    EXPECT_NE(mine.notes.back().find("--fusion tree"), std::string::npos);
    EXPECT_EQ(mine.answer->vectors, along_tree.at(party).answer->vectors);
    EXPECT_LT(subspace_error(mine.answer->scores, truth), 1e-6);
    EXPECT_TRUE(mine.answer->converged);
  }
}

// A party that is gone is a reason.
TEST(OneshotKpca, GossipWithoutAPartyFails) {
  const Samples samples = party_samples(48, 50, 1);
  Options options = options_for(KernelKind::rbf, 3);
  options.fusion = Fusion::gossip;
  SimOptions faults;
  faults.crashes.push_back({.node = 3, .at = std::chrono::milliseconds(1)});
  SimEngine engine(faults);
  expect_error(ErrorCategory::PeerLost, {"3"}, [&] {
    fit_oneshot_kpca(engine, make_topology("complete", 6, 0), parties_of(samples, 6),
                     std::vector<SampleOrder>(6, SampleOrder::numbered(50)), options, {.seed = 1});
  });
}

TEST(OneshotKpca, AConstantPartyAndASingleColumnDoNoHarm) {
  Samples samples = party_samples(12, 40, 1);
  samples.topRows(4).setConstant(1e7 / 3);
  const std::vector<Samples> parties = {samples.topRows(4), samples.middleRows(4, 1), samples.bottomRows(7)};
  for (const KernelKind kind : {KernelKind::linear, KernelKind::rbf}) {
    const Matrix truth = central_scores(samples.bottomRows(8), {.kind = kind, .gamma = 0.01}, 3);
    for (const Fusion fusion : {Fusion::center, Fusion::tree}) {
      Options options = options_for(kind, 3);
      options.fusion = fusion;
      const Fit fit = run(parties, options);
      EXPECT_LT(subspace_error(fit.at(0).answer->vectors, truth), 1e-10) << to_string(kind);
      EXPECT_TRUE(fit.at(0).answer->assessment.good());
    }
  }
}

TEST(OneshotKpca, ZscoreIsThatOfThePooledFeatures) {
  Samples samples = party_samples(40, 50, 1);
  Options options = options_for(KernelKind::linear, 3);
  options.preprocessing.standardize = Standardize::zscore;
  options.local_components = 40;
  const Fit fit = run(parties_of(samples, 4), options);
  fit_zscore(1, feature_moments(samples)).apply(samples);
  const Matrix truth = central_scores(samples, {.kind = KernelKind::linear}, 3);
  EXPECT_LT(subspace_error(fit.at(0).answer->scores, truth), 1e-10);
}

TEST(OneshotKpca, ThreadsGiveTheSimulatorsBits) {
  const Samples samples = party_samples(40, 50, 1);
  Options options = options_for(KernelKind::rbf, 3);
  const Fit simulated = run(parties_of(samples, 4), options);
  const auto engine = make_engine("local", {.threads = 2});
  const Fit threaded =
      fit_oneshot_kpca(*engine, make_topology("complete", 4, 0), parties_of(samples, 4),
                       std::vector<SampleOrder>(4, SampleOrder::numbered(50)), options, {.seed = 1});
  EXPECT_EQ(simulated.at(0).answer->vectors, threaded.at(0).answer->vectors);
}

TEST(OneshotKpca, RefusesWhatCannotBe) {
  const std::vector<Samples> shards = parties_of(party_samples(40, 50, 1), 4);
  Options options = options_for(KernelKind::rbf, 3);
  expect_error(ErrorCategory::InvalidArgument, {"centre", "node 0", "fusion tree"},
               [&] { run(shards, options, "ring:2"); });
  options.center = 9;
  expect_error(ErrorCategory::InvalidArgument, {"node 9", "0 to 3"}, [&] { run(shards, options); });
  Options poly = options_for(KernelKind::poly, 3);
  poly.estimator = Estimator::product;
  expect_error(ErrorCategory::InvalidArgument, {"product", "poly", "distances"}, [&] { run(shards, poly); });
  expect_error(ErrorCategory::InvalidArgument, {"laplacian"},
               [&] { run(shards, options_for(KernelKind::laplacian, 3)); });
  options = options_for(KernelKind::rbf, 3);
  options.epsilon = 2;
  expect_error(ErrorCategory::InvalidArgument, {"epsilon"}, [&] { run(shards, options); });
}

TEST(OneshotKpca, PartsCarryTheAnswerOfTheCentreAlone) {
  const Samples samples = party_samples(40, 50, 1);
  const Fit fit = run(parties_of(samples, 4), options_for(KernelKind::rbf, 3));
  EXPECT_TRUE(part_of(fit.at(0)).has_answer());
  EXPECT_FALSE(part_of(fit.at(1)).has_answer());
  EXPECT_EQ(part_of(fit.at(1)).points, Matrix(fit.at(1).features.matrix()));
  EXPECT_EQ(part_of(fit.at(0)).row_means.size(), 50);
}

}  // namespace
}  // namespace choir::oneshot_kpca
