#include "choir/experiment/gossip_pca/trace.h"

#include <gtest/gtest.h>

namespace choir {
namespace {

class TraceTest : public ::testing::Test {
 protected:
  struct Seen {
    double messages;
    std::vector<double> weights;  // -1: not there
  };

  GossipTrace make(std::vector<double> points, std::vector<NodeTime> crashes = {}) {
    return GossipTrace({.nodes = 2,
                        .points = std::move(points),
                        .look = [this](const TraceMoment& now) { remember(now); },
                        .crashes = std::move(crashes)});
  }
  void happens(GossipTrace& trace, gossip_pca::Event::What what, NodeId node, double weight,
               int milliseconds = 0) {
    gossip_pca::Summary summary;
    summary.weight = weight;
    trace.observer()({.what = what,
                      .node = node,
                      .from = node,
                      .time = Time(std::chrono::milliseconds(milliseconds)),
                      .summary = summary});
  }
  void remember(const TraceMoment& now) {
    Seen seen{.messages = now.messages, .weights = {}};
    for (const auto& node : now.nodes) seen.weights.push_back(node ? node->weight : -1);
    seen_.push_back(seen);
  }

  std::vector<Seen> seen_;
};

using enum gossip_pca::Event::What;

TEST_F(TraceTest, LooksBeforeTheMessageThatGoesBeyondAPoint) {
  GossipTrace trace = make({0, 1});
  happens(trace, start, 0, 10);
  happens(trace, start, 1, 20);
  ASSERT_TRUE(seen_.empty());
  happens(trace, give, 0, 5);
  happens(trace, take, 1, 25);
  happens(trace, give, 1, 12);
  ASSERT_EQ(seen_.size(), 1U);
  EXPECT_EQ(seen_[0].weights, (std::vector<double>{10, 20}));
  happens(trace, take, 0, 17);
  happens(trace, give, 1, 6);  // the third message of two nodes: 1.5 each
  ASSERT_EQ(seen_.size(), 2U);
  EXPECT_EQ(seen_[1].messages, 1);
  EXPECT_EQ(seen_[1].weights, (std::vector<double>{17, 12}));
}

TEST_F(TraceTest, TheEndStandsForWhatIsLeft) {
  GossipTrace trace = make({1, 2});
  happens(trace, start, 0, 10);
  happens(trace, start, 1, 20);
  trace.finish();
  ASSERT_EQ(seen_.size(), 2U);
  EXPECT_EQ(seen_[1].weights, (std::vector<double>{10, 20}));
}

TEST_F(TraceTest, MessagesAreSharedOutOverTheNodesThereAre) {
  GossipTrace trace = make({1, 2}, {{.node = 1, .at = std::chrono::milliseconds(5)}});
  happens(trace, start, 0, 10);
  happens(trace, start, 1, 20);
  happens(trace, give, 0, 5, 1);
  happens(trace, give, 1, 10, 2);
  happens(trace, give, 0, 4, 6);  // alone by now: a whole message more
  ASSERT_EQ(seen_.size(), 1U);
  EXPECT_EQ(seen_[0].weights, (std::vector<double>{5, -1}));
  happens(trace, give, 0, 3, 7);
  ASSERT_EQ(seen_.size(), 2U);
  EXPECT_EQ(seen_[1].weights, (std::vector<double>{4, -1}));
}

}  // namespace
}  // namespace choir
