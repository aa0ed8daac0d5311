#include "choir/learn/parts/projection.h"

#include "model/support.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/runtime/local/local_engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

template <class AnyPart>
std::vector<Part> as_parts(const std::vector<AnyPart>& parts) {
  return {parts.begin(), parts.end()};
}

// A model of eight coordinates, cut into the parts of five nodes, and samples that it has not seen.
struct Spread {
  LinearModel whole = fit_pca(normal_samples(8, 60, 1), 3);
  std::vector<Columns> columns = {{0, 7}, {1}, {2, 4, 6}, {3}, {5}};
  Samples fresh = 2 * normal_samples(8, 20, 2);
  Graph graph = make_topology("ring:2", 5, 0);

  std::vector<Part> parts() const { return as_parts(cut_into_parts(whole, columns)); }
  std::vector<Samples> coordinates() const {
    std::vector<Samples> result;
    for (const Columns& own : columns) result.push_back(rows_of(fresh, own));
    return result;
  }
  Outcome<PartedAnswer> projected(Engine& engine, const ProjectionOptions& options = {}) const {
    return project_coordinates(engine, graph, parts(), coordinates(), options, {.seed = 3});
  }
  // The largest difference of any node to the whole model.
  double difference(const Outcome<PartedAnswer>& outcome) const {
    double most = 0;
    for (const auto& answer : outcome.results) {
      most = std::max({most, largest(answer.value().scores - whole.transform(fresh)),
                       largest(answer.value().errors - whole.score(fresh))});
    }
    return most;
  }
};

ProjectionOptions by_gossip(Index messages) {
  GossipOptions gossip;
  gossip.messages = messages;
  return {.gossip = gossip};
}

TEST(Projection, AlongTheTreeIsThatOfTheWholeModelAtEveryNode) {
  const Spread spread;
  SimEngine sim;
  LocalEngine local({.threads = 2});
  const auto simulated = spread.projected(sim), threaded = spread.projected(local);
  EXPECT_LT(spread.difference(simulated), 1e-10);
  for (std::size_t node = 0; node < 5; ++node) {  // the same bits at all nodes, on both engines
    EXPECT_EQ(simulated.results[node]->scores, threaded.results[0]->scores);
    EXPECT_EQ(simulated.results[node]->errors, threaded.results[node]->errors);
  }
  EXPECT_EQ(simulated.report.ledger, threaded.report.ledger);
}

TEST(Projection, ByGossipComesAsCloseAsItsMessagesAllow) {
  const Spread spread;
  SimEngine sim;
  const double few = spread.difference(spread.projected(sim, by_gossip(10)));
  const double many = spread.difference(spread.projected(sim, by_gossip(100)));
  EXPECT_GT(few, 1e-6);
  EXPECT_LT(many, 1e-6);
  GossipOptions quick;
  quick.messages = 100;
  quick.mean_interval = std::chrono::milliseconds(1);
  LocalEngine local({.threads = 2});
  EXPECT_LT(spread.difference(spread.projected(local, {.gossip = quick})), 1e-6);
}

TEST(Projection, ByGossipCopesWithLostMessages) {
  const Spread spread;
  SimOptions rough;
  rough.loss = 0.1;
  SimEngine sim(rough);
  EXPECT_LT(spread.difference(spread.projected(sim, by_gossip(200))), 1e-6);
}

TEST(Projection, OnlySumsOfFeaturesAndControlLeaveANode) {
  const Spread spread;
  SimEngine sim;
  for (const ProjectionOptions& options : {ProjectionOptions{}, by_gossip(20)}) {
    const auto outcome = spread.projected(sim, options);
    EXPECT_EQ(outcome.report.ledger.kinds(), (KindSet{Kind::features, Kind::control}));
    EXPECT_GT(outcome.report.ledger.total(Kind::features).bytes, 0u);
  }
  // Up and down the tree: 20 samples, three scores and a length each, and what the parts have of U'U.
  const Traffic tree = spread.projected(sim).report.ledger.total(Kind::features);
  EXPECT_EQ(tree.messages, 2u * 4);
  EXPECT_LT(tree.bytes, tree.messages * ((20 + 3) * 4 * sizeof(double) + 100));
}

TEST(Projection, RefusesPartsThatDoNotBelongTogether) {
  const Spread spread;
  SimEngine sim;
  const auto refusal = [&](const std::vector<Part>& parts, const std::vector<Samples>& samples) {
    return sentence(ErrorCategory::InvalidArgument,
                    [&] { project_coordinates(sim, spread.graph, parts, samples); });
  };
  auto parts = spread.parts();
  auto& narrow = std::get<LinearPart>(parts[2]);
  narrow.loadings = narrow.loadings.leftCols(2).eval();
  EXPECT_THAT(refusal(parts, spread.coordinates()),
              HasSubstr("node 2 has 2 components but node 0 has 3; give all nodes parts of one model"));
  auto samples = spread.coordinates();
  samples[3] = samples[3].leftCols(7).eval();
  EXPECT_THAT(refusal(spread.parts(), samples), HasSubstr("node 3 has 7 samples but node 0 has 20"));
  samples = spread.coordinates();
  std::swap(samples[0], samples[1]);
  EXPECT_THAT(refusal(spread.parts(), samples),
              HasSubstr("node 0 has 1 coordinates of each sample but its part was fitted to 2"));
  samples.pop_back();
  EXPECT_THAT(refusal(spread.parts(), samples), HasSubstr("5 parts and 4 shards of new samples for 5 nodes"));
}

// Processes that cannot see each other's parts find out when they add up.
TEST(Projection, NodesThatAddUpNoticeTheDifferenceToo) {
  const Spread spread;
  const auto parts = spread.parts();
  const auto samples = spread.coordinates();
  const Contract contract{.method = "test", .kinds = {Kind::features, Kind::control}};
  SimEngine sim;
  for (const ProjectionOptions& options : {ProjectionOptions{}, by_gossip(5)}) {
    EXPECT_THAT(sentence(ErrorCategory::BadData,
                         [&] {
                           run_nodes<std::optional<PartedAnswer>>(
                               sim, spread.graph, contract, {}, [&](Node& node) {
                                 const auto i = static_cast<std::size_t>(node.id());
                                 LinearPart part = std::get<LinearPart>(parts[i]);
                                 if (i == 4) part.loadings = part.loadings.leftCols(1).eval();
                                 return project(node, part, samples[i], SampleOrder(), options);
                               });
                         }),
                HasSubstr("node "));
  }
}

// Kernel PCA of the same eight features; only node 0 got the result.
struct SpreadKernel {
  Spread features;
  KernelModel whole;
  std::vector<Part> parts;

  explicit SpreadKernel(const Kernel& kernel)
      : whole(fit_kpca(kernel, normal_samples(8, 30, 4), 3).model),
        parts(as_parts(cut_into_parts(whole, features.columns))) {}

  Outcome<PartedAnswer> projected(Engine& engine, const ProjectionOptions& options = {},
                                  const RunOptions& run = {.seed = 3}) const {
    return project_coordinates(engine, features.graph, parts, features.coordinates(), options, run);
  }
  double difference(const PartedAnswer& answer) const {
    return std::max(largest(answer.scores - whole.transform(features.fresh)),
                    largest(answer.errors - whole.score(features.fresh)));
  }
};

TEST(Projection, OfKernelPartsGivesTheAnswerWhereTheResultIs) {
  for (const Kernel& kernel : {Kernel{.gamma = 0.05}, Kernel{.kind = KernelKind::cosine}}) {
    const SpreadKernel spread(kernel);
    SimEngine sim;
    LocalEngine local({.threads = 2});
    const auto simulated = spread.projected(sim), threaded = spread.projected(local);
    EXPECT_LT(spread.difference(simulated.results[0].value()), 1e-12) << describe(kernel);
    EXPECT_EQ(simulated.results[0]->scores, threaded.results[0]->scores);
    EXPECT_EQ(simulated.report.ledger, threaded.report.ledger);
    for (std::size_t node = 1; node < 5; ++node) EXPECT_FALSE(simulated.results[node]);
    EXPECT_LT(spread.difference(spread.projected(sim, by_gossip(150)).results[0].value()), 1e-6);
  }
}

TEST(Projection, OfKernelPartsSendsDistancesToTheTrainingSamples) {
  SimEngine sim;
  const auto outcome = SpreadKernel(Kernel{.gamma = 0.05}).projected(sim);
  EXPECT_EQ(outcome.report.ledger.kinds(), (KindSet{Kind::features, Kind::control}));
  const Traffic tree = outcome.report.ledger.total(Kind::features);
  EXPECT_EQ(tree.messages, 2u * 4);
  EXPECT_GE(tree.bytes, tree.messages * 20 * 30 * sizeof(double));
  EXPECT_LT(tree.bytes, tree.messages * (20 * 30 * sizeof(double) + 100));
}

TEST(Projection, RefusesKernelPartsThatDoNotBelongTogether) {
  const SpreadKernel good(Kernel{.gamma = 0.05});
  SimEngine sim;
  const auto refusal = [&](std::size_t node, const Part& part, const RunOptions& run = {}) {
    SpreadKernel spread = good;
    spread.parts[node] = part;
    return sentence(ErrorCategory::InvalidArgument, [&] { spread.projected(sim, {}, run); });
  };
  EXPECT_THAT(refusal(2, good.features.parts()[2]), HasSubstr("node 2 has a part of another kind of model"));
  EXPECT_THAT(refusal(3, SpreadKernel(Kernel{.gamma = 0.06}).parts[3]),
              HasSubstr("node 3 has the kernel rbf (gamma 0.06) but node 0 has rbf (gamma 0.05)"));
  auto fewer = std::get<KernelPart>(good.parts[4]);
  fewer.points = fewer.points.leftCols(29).eval();
  EXPECT_THAT(refusal(4, fewer), HasSubstr("node 4 has 29 training samples but node 0 has 30"));
  EXPECT_THAT(refusal(4, good.parts[4], {.lost_peers = LostPeers::proceed}),
              HasSubstr("features of all nodes"));
}

}  // namespace
}  // namespace choir
