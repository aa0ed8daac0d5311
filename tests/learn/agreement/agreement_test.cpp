#include "choir/learn/agreement/agreement.h"

#include "learn/central/toy.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/graph/topology.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/local/local_engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

using testing_toys::falling_scales;

const Contract contract{.method = "agreement", .kinds = {Kind::masked, Kind::totals, Kind::control}};

// Shards of different sizes, means and far from zero; the pooled samples are their union.
struct Network {
  std::vector<Samples> shards;
  Samples pooled;
  Graph graph = make_topology("tree:2", 7, 0);
};

Network network(double offset) {
  Network result;
  Index total = 0;
  for (Index node = 0; node < 7; ++node) {
    Samples shard = falling_scales(4, 10 + 7 * node, static_cast<std::uint64_t>(node));
    shard.array() += offset + static_cast<double>(node);
    total += shard.cols();
    result.shards.push_back(std::move(shard));
  }
  result.pooled.resize(4, total);
  for (Index begin = 0; const Samples& shard : result.shards) {
    result.pooled.middleCols(begin, shard.cols()) = shard;
    begin += shard.cols();
  }
  return result;
}

Outcome<double> gammas(Engine& engine, const Network& network, const char* rule) {
  return run_nodes<double>(engine, network.graph, contract, {}, [&](Node& node) {
    return agreed_gamma(node, parse_gamma(rule), network.shards[static_cast<std::size_t>(node.id())]);
  });
}

TEST(AgreedGamma, OfScaleIsThatOfThePooledSamplesAtEveryNode) {
  for (const double offset : {0.0, 1e6}) {
    const Network all = network(offset);
    LocalEngine engine({.threads = 2});
    const auto outcome = gammas(engine, all, "scale");
    const double truth = gamma_scale(all.pooled);
    for (const auto& gamma : outcome.results) {
      EXPECT_NEAR(gamma.value() / truth, 1, offset > 0 ? 1e-10 : 1e-13);
      EXPECT_EQ(gamma, outcome.results.front());
    }
  }
}

TEST(AgreedGamma, OfMedianIsOneOverTwiceTheMeanSquaredDistance) {
  const Network all = network(3);
  double sum = 0;
  for (Index i = 0; i < all.pooled.cols(); ++i) {
    sum += (all.pooled.colwise() - all.pooled.col(i)).colwise().squaredNorm().sum();
  }
  const double mean = sum / static_cast<double>(all.pooled.cols() * all.pooled.cols());
  SimEngine engine;
  for (const auto& gamma : gammas(engine, all, "median").results) {
    EXPECT_NEAR(gamma.value() * 2 * mean, 1, 1e-12);
  }
}

// Keys once; then two sums, each after three digits of what it is scaled by, and each told to all.
TEST(AgreedGamma, TakesTwoMaskedSumsAndANumberTakesNone) {
  const Network all = network(0);
  SimEngine engine;
  const auto found = gammas(engine, all, "scale");
  const Ledger& ledger = found.report.ledger;
  EXPECT_EQ(ledger.total(Kind::control).messages, 2u * 6);
  EXPECT_EQ(ledger.total(Kind::masked).messages, 2u * 4 * 6);
  EXPECT_EQ(ledger.total(Kind::totals).messages, 2u * 4 * 6);
  const auto given = gammas(engine, all, "0.25");
  EXPECT_EQ(given.report.ledger.total().messages, 0u);
  EXPECT_EQ(given.results.back(), 0.25);
}

TEST(AgreedGamma, HasTheSameBitsOnEveryEngineAndForAnyNumberOfThreads) {
  const Network all = network(1);
  SimOptions faults;
  faults.latency = parse_latency("1ms..9ms");
  faults.loss = 0.3;
  SimEngine sim(faults);
  const auto simulated = gammas(sim, all, "scale").results;
  for (const int threads : {1, 2, 4}) {
    LocalEngine local({.threads = threads});
    EXPECT_EQ(gammas(local, all, "scale").results, simulated) << threads;
  }
}

TEST(AgreedGamma, ConstantSamplesAreRefused) {
  Network all = network(0);
  for (Samples& shard : all.shards) shard.setConstant(0.1);
  SimEngine engine;
  try {
    gammas(engine, all, "scale");
    FAIL() << "samples without variance";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("all samples are equal"));
  }
}

TEST(AgreedGamma, LeavesOutALostNodeIfTheRunGoesOn) {
  const Network all = network(0);
  // Node 6 would start after it has crashed: it never says anything.
  SimOptions faults;
  faults.crashes.push_back({.node = 6, .at = std::chrono::seconds(1)});
  faults.joins.push_back({.node = 6, .at = std::chrono::seconds(2)});
  SimEngine engine(faults);
  RunOptions options;
  options.lost_peers = LostPeers::proceed;
  const auto outcome = run_nodes<double>(engine, all.graph, contract, options, [&](Node& node) {
    return agreed_gamma(node, parse_gamma("scale"), all.shards[static_cast<std::size_t>(node.id())]);
  });
  const Samples rest = all.pooled.leftCols(all.pooled.cols() - all.shards.back().cols());
  for (std::size_t node = 0; node < 6; ++node) {
    EXPECT_NEAR(outcome.results[node].value() / gamma_scale(rest), 1, 1e-12) << node;
  }
  EXPECT_FALSE(outcome.results[6].has_value());
}

TEST(AgreedGamma, LeavesOutNodesWithoutSamples) {
  Network all = network(0);
  all.pooled = all.pooled.leftCols(all.pooled.cols() - all.shards.back().cols()).eval();
  all.shards.back().resize(4, 0);
  LocalEngine engine({.threads = 1});
  for (const char* rule : {"scale", "median"}) {
    const auto outcome = gammas(engine, all, rule);
    const double truth = std::string(rule) == "scale" ? gamma_scale(all.pooled)
                                                      : gamma_median_stand_in(feature_moments(all.pooled));
    EXPECT_NEAR(outcome.results[6].value() / truth, 1, 1e-12);
  }
}

TEST(AgreedPreprocessing, OfZscoreIsThatOfThePooledSamples) {
  const Network all = network(1e6);
  LocalEngine engine({.threads = 2});
  Preprocessing wish;
  wish.divide = 255;
  wish.standardize = Standardize::zscore;
  const auto outcome = run_nodes<Preprocessing>(engine, all.graph, contract, {}, [&](Node& node) {
    return agreed_preprocessing(node, wish, all.shards[static_cast<std::size_t>(node.id())]);
  });
  const Preprocessing truth = fit_zscore(255, feature_moments(all.pooled));
  for (const auto& agreed : outcome.results) {
    EXPECT_LT((agreed->mean - truth.mean).cwiseQuotient(truth.mean).norm(), 1e-14);
    EXPECT_LT((agreed->scale - truth.scale).cwiseQuotient(truth.scale).norm(), 1e-10);
  }
  Samples standardised = all.pooled;
  outcome.results.front()->apply(standardised);
  EXPECT_LT(standardised.rowwise().mean().norm(), 1e-8);
}

TEST(AgreedPreprocessing, ThatNeedsNoSumsSendsNothing) {
  const Network all = network(0);
  SimEngine engine;
  Preprocessing wish;
  wish.divide = 2;
  wish.standardize = Standardize::unit;
  const auto outcome = run_nodes<Preprocessing>(engine, all.graph, contract, {}, [&](Node& node) {
    return agreed_preprocessing(node, wish, all.shards[static_cast<std::size_t>(node.id())]);
  });
  EXPECT_EQ(outcome.report.ledger.total().messages, 0u);
  EXPECT_EQ(outcome.results[3]->standardize, Standardize::unit);
  EXPECT_EQ(outcome.results[3]->divide, 2);
}

}  // namespace
}  // namespace choir
