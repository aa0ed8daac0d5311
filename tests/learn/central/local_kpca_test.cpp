#include "choir/learn/central/local_kpca.h"

#include "learn/central/toy.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/graph/topology.h"
#include "choir/kernel/gram.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/local/local_engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

using testing_toys::falling_scales;

local_kpca::Options options(const char* gamma) {
  local_kpca::Options result;
  result.gamma = parse_gamma(gamma);
  result.kpca.n_components.count = 3;
  return result;
}

const std::vector<Samples> shards = {falling_scales(4, 30, 1), falling_scales(4, 50, 2),
                                     falling_scales(4, 20, 3)};

Contract contract_for(const std::vector<Samples>& data, const local_kpca::Options& method) {
  const auto size = [&data](NodeId node) { return data[static_cast<std::size_t>(node)].cols(); };
  return local_kpca::contract(4, size, method);
}

local_kpca::Fit fit(Engine& engine, const std::vector<Samples>& data, const local_kpca::Options& method) {
  const Graph graph = make_topology("line", static_cast<Index>(data.size()), 0);
  return fit_local_kpca(engine, graph, data, method);
}

TEST(LocalKpca, IsKernelPcaOfEachShardWithoutAnyMessage) {
  LocalEngine engine({.threads = 2});
  const auto outcome = fit(engine, shards, options("0.05"));
  EXPECT_EQ(outcome.report.ledger.total().messages, 0u);
  central_kpca::Options central = options("0.05").kpca;
  central.kernel.gamma = 0.05;
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_TRUE(outcome.nodes[j]->scores == fit_central_kpca(shards[j], central).scores) << j;
  }
}

TEST(LocalKpca, StandardisesAndFindsGammaByAllSamples) {
  Samples pooled(4, 100);
  pooled << shards[0], shards[1], shards[2];
  const Preprocessing zscore = fit_zscore(2, feature_moments(pooled));
  zscore.apply(pooled);

  local_kpca::Options method = options("scale");
  method.preprocessing.divide = 2;
  method.preprocessing.standardize = Standardize::zscore;
  SimEngine engine;
  const auto outcome = fit(engine, shards, method);
  // Two agreements of two sums, each of four messages up.
  EXPECT_EQ(outcome.report.ledger.total(Kind::masked).messages, 2u * 2 * 4 * 2);
  EXPECT_EQ(outcome.report.ledger.total(Kind::own_statistics).messages, 0u);
  for (const auto& result : outcome.nodes) {
    EXPECT_NEAR(result->model.kernel.gamma / gamma_scale(pooled), 1, 1e-12);
  }
  const KernelModel& last = outcome.nodes[2]->model;
  EXPECT_LT((last.points - pooled.rightCols(20)).norm(), 1e-12);
  EXPECT_LT((last.transform(shards[2]) - outcome.nodes[2]->scores).norm(), 1e-12);
}

TEST(LocalKpca, SaysThatTheMedianIsAStandIn) {
  SimEngine engine;
  EXPECT_THAT(fit(engine, shards, options("median")).nodes[1]->note, ::testing::HasSubstr("2 tr Cov"));
  EXPECT_EQ(fit(engine, shards, options("scale")).nodes[1]->note, "");
}

TEST(LocalKpca, HasTheSameBitsOnEveryEngine) {
  SimEngine sim;
  const auto simulated = fit(sim, shards, options("scale"));
  for (const int threads : {1, 3}) {
    LocalEngine local({.threads = threads});
    const auto threaded = fit(local, shards, options("scale"));
    EXPECT_EQ(threaded.report.ledger, simulated.report.ledger);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_TRUE(threaded.nodes[j]->model.coefficients == simulated.nodes[j]->model.coefficients) << j;
    }
  }
}

TEST(LocalKpca, NamesTheNodeThatCannot) {
  LocalEngine engine({.threads = 1});
  try {
    fit(engine, {falling_scales(4, 30, 1), falling_scales(4, 2, 2)}, options("0.05"));
    FAIL() << "3 components of 2 samples";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::StartsWith("node 1: "));
  }
}

TEST(LocalKpca, PlansItsKernelMatrix) {
  const Contract whole = contract_for(shards, options("scale"));
  EXPECT_EQ(whole.memory(1), 2u * 50 * 4 * 8);
  EXPECT_GT(static_cast<double>(whole.scratch(1)), TriangularGram<double>::bytes_needed(50));
  local_kpca::Options recomputed = options("scale");
  recomputed.kpca.gram = GramStorage::recomputed;
  EXPECT_NEAR(static_cast<double>(whole.scratch(1) - contract_for(shards, recomputed).scratch(1)),
              TriangularGram<double>::bytes_needed(50), 1);
  EXPECT_GT(whole.scratch(1), whole.scratch(0));
}

}  // namespace
}  // namespace choir
