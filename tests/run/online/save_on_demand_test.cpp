#include "choir/run/online/save_on_demand.h"

#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(SaveOnDemand, NodesSaveTogetherAfterTheRoundThatComesForAll) {
  std::uint64_t requests = 0;
  SaveOnDemand demand([&] { return requests; }, SaveOnDemand::Nodes::together);
  EXPECT_FALSE(demand.is_due(0, 1));
  EXPECT_FALSE(demand.is_due(1, 1));
  EXPECT_FALSE(demand.is_due(0, 2));
  requests = 1;
  EXPECT_FALSE(demand.is_due(1, 2)) << "node 0 has done this round already";
  EXPECT_TRUE(demand.is_due(0, 3));
  EXPECT_FALSE(demand.is_due(0, 4));
  EXPECT_TRUE(demand.is_due(1, 3));
  requests = 3;
  EXPECT_FALSE(demand.is_due(1, 4));
  EXPECT_TRUE(demand.is_due(0, 5));
}

TEST(SaveOnDemand, NodesAloneSaveAtOnce) {
  std::uint64_t requests = 0;
  SaveOnDemand demand([&] { return requests; }, SaveOnDemand::Nodes::alone);
  EXPECT_FALSE(demand.is_due(0, 7));
  requests = 1;
  EXPECT_TRUE(demand.is_due(0, 8));
  EXPECT_FALSE(demand.is_due(0, 9));
  EXPECT_TRUE(demand.is_due(1, 100));
}

TEST(SaveOnDemand, NobodyAsks) {
  SaveOnDemand demand({}, SaveOnDemand::Nodes::together);
  EXPECT_FALSE(demand.is_due(0, 0));
  EXPECT_FALSE(demand.is_due(0, 1));
}

}  // namespace
}  // namespace choir
