#include "choir/learn/features/summed_features.h"

#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/graph/topology.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

std::vector<std::vector<Index>> chosen(const Matrix& psi, Index inputs) {
  const Contract contract{.method = "features",
                          .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  const Index each = psi.cols() / 3;
  SimEngine engine;
  const auto outcome = run_nodes<std::vector<Index>>(
      engine, make_topology("line", 3, 0), contract, {}, [&](Node& node) -> Task<std::vector<Index>> {
        SecureSums sums = co_await open_secure_sums(node);
        Matrix own = psi.middleCols(each * node.id(), each);
        const std::vector<Index> found = co_await features_to_sum(node, sums, std::move(own), inputs);
        co_return found;
      });
  std::vector<std::vector<Index>> all;
  for (const auto& node : outcome.results) all.push_back(*node);
  return all;
}

TEST(SummedFeatures, AreTheLargestOnesInWhichNobodyIsAlone) {
  Matrix psi(4, 30);
  for (Index n = 0; n < 30; ++n) psi.col(n) << 0.5, 1, 0.3, 0;
  psi.row(0).array() *= 0.9;
  psi(3, 22) = 0.9;  // of node 2 alone, and smaller in all than the others
  for (const std::vector<Index>& found : chosen(psi, 30)) EXPECT_EQ(found, (std::vector<Index>{1, 0, 2}));
  psi(3, 22) = 20;  // alone in the largest
  for (const std::vector<Index>& found : chosen(psi, 30)) EXPECT_EQ(found, (std::vector<Index>{3}));
}

TEST(SummedFeatures, OfTooFewSamplesThereAreNone) {
  EXPECT_EQ(require_safe_total(400, 30, 50), 50);
  EXPECT_EQ(require_safe_total(100, 30, 50), 25);
  EXPECT_THROW(require_safe_total(3, 30, 50), Error);
}

}  // namespace
}  // namespace choir
