// Nothing is lost and nothing is counted twice, looked at in every event of simulated networks.
#include <map>

#include "learn/gossip_pca/toy.h"
#include "runtime/rough_network.h"
#include <gtest/gtest.h>

#include "choir/learn/gossip_pca/observer.h"

namespace choir::gossip_pca {
namespace {

using testing::rough_network;

// What all nodes hold and what is on its way between them.
class Auditor {
 public:
  Auditor(double weight, Vector sum) : weight_(weight), sum_(std::move(sum)) {}

  void operator()(const Event& event) {
    ++events;
    latest_[event.node] = {event.summary.weight, event.summary.sum};
    if (event.what == Event::What::give) {
      in_flight_ += event.share->weight;
      sum_in_flight_ += event.share->sum;
    } else if (event.share != nullptr) {
      in_flight_ -= event.share->weight;
      sum_in_flight_ -= event.share->sum;
    }
    if (static_cast<Index>(latest_.size()) == nodes) check();
  }

  Index nodes = 0;
  int events = 0;
  double worst = 0;

 private:
  struct Held {
    double weight;
    Vector sum;
  };

  void check() {
    double weight = in_flight_;
    Vector sum = sum_in_flight_;
    for (const auto& [node, held] : latest_) {
      weight += held.weight;
      sum += held.sum;
    }
    worst = std::max({worst, std::abs(weight - weight_) / weight_, (sum - sum_).norm() / sum_.norm()});
    ASSERT_GE(in_flight_, -1e-9) << "a share was taken twice";
  }

  double weight_;
  Vector sum_;
  std::map<NodeId, Held> latest_;
  double in_flight_ = 0;
  Vector sum_in_flight_ = Vector::Zero(sum_.size());
};

void audit(const Options& options, const SimOptions& network, const std::string& topology,
           Index dimension = 12) {
  const Samples samples = spread_samples(dimension, 300, 3);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Auditor auditor(300, samples.rowwise().sum());
    auditor.nodes = 10;
    const Fit fit = testing::simulate(dealt(samples, 10), options, network, topology, seed,
                                      {.observe = std::ref(auditor)});
    EXPECT_GT(auditor.events, 10 * 20);
    EXPECT_LT(auditor.worst, 1e-12) << topology << " " << seed;
    double left = 0;
    for (const auto& node : fit.nodes) left += node->weight;
    EXPECT_NEAR(left, 300, 1e-9) << "nothing is under way at the end";
  }
}

TEST(Conservation, HoldsInEveryEventOfARoughNetwork) {
  for (const char* topology : {"complete", "ring:4", "star"}) {
    audit(plain_options(3, 30), rough_network(), topology);
  }
}

TEST(Conservation, HoldsForEveryScheduleAndMerge) {
  for (const Schedule schedule : {Schedule::broadcast, Schedule::master, Schedule::fast_master}) {
    Options options = plain_options(3, 20);
    options.schedule = schedule;
    audit(options, rough_network(), "star");
  }
  for (const MergeRule merge : {MergeRule::orthogonal_iterations, MergeRule::late}) {
    Options options = plain_options(3, 20);
    options.merge = merge;
    audit(options, rough_network(), "ring:4");
  }
}

TEST(Conservation, HoldsWhenNodesJoinLate) {
  SimOptions network = rough_network();
  network.joins = {{.node = 3, .at = std::chrono::milliseconds(100)},
                   {.node = 7, .at = std::chrono::seconds(1)}};
  audit(plain_options(3, 30), network, "complete");
}

TEST(Conservation, HoldsForNodesThatSettleEarly) {
  Options options = plain_options(3, 500);
  options.tol = 1e-2;
  audit(options, rough_network(), "complete", 170);  // of fewer dimensions the covariance is summed at once
}

TEST(Conservation, PlainLinksLoseWithEveryLostMessage) {
  SimOptions network;
  network.loss = 0.1;
  const Samples samples = spread_samples(12, 300, 3);
  Options options = plain_options(3, 40);
  options.links = Delivery::plain;
  const Fit fit = testing::simulate(dealt(samples, 10), options, network);
  double left = 0;
  for (const auto& node : fit.nodes) left += node->weight;
  EXPECT_LT(left, 150);
}

}  // namespace
}  // namespace choir::gossip_pca
